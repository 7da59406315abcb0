import type { SoundWord } from '../../sounds/sound.ts'
import type { Heard, ShownQuestion, ShownReading } from '../display.ts'
import type { ShownAlarm } from '../driver.ts'

/** What the server sends to the browsers of a speaker. */
export type BrowserCommand =
  /** Asks who is there. */
  | { type: 'probe'; id: string }
  /** Asks who can play a sound, which is raw PCM: signed, 16 bits, little-endian, mono. */
  | {
      type: 'offer'
      id: string
      sampleRateHertz: number
      /** 0 to 100: percent of the amplitude. */
      volume: number
      /** The spoken text; empty for a sound without words. */
      text: string
      /** Whether it turns the other sounds of the browser down. Absent: no. */
      softens?: true
    }
  /** Further words of an offer, with their times in its sound. */
  | { type: 'words'; id: string; words: readonly SoundWord[] }
  /** Silence at once. */
  | { type: 'stop'; id: string }

/** The alarms of a speaker that somebody must acknowledge, for its page. */
export interface AlarmsMessage {
  type: 'alarms'
  alarms: readonly ShownAlarm[]
}

/** What the server listens for: the answer to a question, or commands while something is announced. */
export type MicrophoneUse = 'question' | 'commands'

/** Opens or closes the microphone of a page. Between the two, the page sends binary messages with PCM, or why it cannot. */
export interface OpenMicrophoneMessage {
  type: 'microphone'
  use: MicrophoneUse
  isOpen: boolean
}

/** Shows what somebody has said next to the page. */
export interface HeardMessage {
  type: 'heard'
  heard: Heard
}

/** Why a page cannot record. */
export const microphoneProblems = [
  'denied',
  'noMicrophone',
  'inUse',
  'unsupported',
  'insecure',
] as const
export type MicrophoneProblem = (typeof microphoneProblems)[number]

/** What a page sends instead of sound. */
export interface MicrophoneProblemMessage {
  type: 'microphone-problem'
  problem: MicrophoneProblem
}

/** The question that a page shows; without one, it shows none. */
export interface QuestionMessage {
  type: 'question'
  question?: ShownQuestion | undefined
}

/** The text that is read aloud on a page; without one, it shows none. */
export interface ReadingMessage {
  type: 'reading'
  reading?: ShownReading | undefined
}

/** The topic of the editor's own connection on which it receives them. */
export const editorTopic = 'parlando/speaker'

/**
 * What a browser reports about a probe or an offer. `ready`: it can play; the response says whether it is to play. `hidden`:
 * the same, in a tab that nobody sees. `locked`: the browser allows no sound until somebody has clicked. `unlocked`: it allows
 * sound from now on; this report has no id. The others follow the playback.
 */
export const browserEvents = [
  'ready',
  'hidden',
  'locked',
  'unlocked',
  'started',
  'ended',
  'failed',
] as const
export type BrowserEvent = (typeof browserEvents)[number]
