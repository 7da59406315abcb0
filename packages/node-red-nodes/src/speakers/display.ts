/** What somebody can say while an announcement sounds: it ends, is acknowledged, or is said again, in ten minutes or now. */
export type SpokenCommand = 'stop' | 'acknowledge' | 'later' | 'again'

/** A question that the page of a speaker shows, with a button for each answer. */
export interface ShownQuestion {
  id: string
  text: string
  buttons: readonly string[]
  /** What somebody has said that is none of the answers. Empty: no words. */
  heard?: string
}

/** What somebody has said to an announcement or in a conversation. */
export interface Heard {
  /** Empty: no words. */
  text: string
  isUnderstood: boolean
  /** The command that it is. */
  command?: SpokenCommand
  /** What a language model responds. */
  response?: string
}

/** A text that is read aloud, with buttons that pause it and skip sentences. */
export interface ShownReading {
  id: string
  /** The sentence that is said now or next. */
  text: string
  /** Its number, counted from 1. */
  sentence: number
  sentences: number
  isPaused: boolean
}

/** The buttons of a text that is read aloud. */
export const readingActions = ['back', 'pause', 'resume', 'forward'] as const
export type ReadingAction = (typeof readingActions)[number]

/** The display of a speaker: shows a text that is read aloud, and takes its buttons. */
export interface ReadingDisplay {
  /** Shows a text until it is hidden, also on pages that are opened later. Called again when something has changed. */
  showReading(reading: ShownReading, onAction: (action: ReadingAction) => void): void
  hideReading(id: string): void
}

/** The display of a speaker: shows questions, takes answers by button, and shows what was heard. */
export interface SpeakerDisplay {
  /**
   * Shows a question until it is hidden, also on pages that are opened later.
   * @param onAnswer receives the number of the button, counted from 0.
   */
  showQuestion(question: ShownQuestion, onAnswer: (index: number) => void): void
  hideQuestion(id: string): void
  /** Shows it where the display is open now. The next one replaces it. */
  showHeard(heard: Heard): void
}
