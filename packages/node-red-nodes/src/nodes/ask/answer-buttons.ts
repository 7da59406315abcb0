import type { SpeakerDisplay } from '../../speakers/display.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Outcome, RecognisedTurn } from './match-answer.ts'
import type { Question } from './read-question.ts'

/** The answers that speakers with a display show as buttons. */
export interface Buttons {
  /** Resolves when somebody presses one. */
  pressed: Promise<Outcome>
  /** Whether any speaker shows them. */
  readonly isShown: boolean
  /** Shows the question and its buttons on these speakers, and no longer on others. */
  showOn(speakers: readonly Speaker[]): void
  /** Shows the transcript of what somebody has said: that of an answer stays when the question is over. */
  showTurn(turn: RecognisedTurn): void
}

/** @param id of the question, on the displays. */
export function createButtons({ text, answers }: Question, id: string): Buttons {
  const buttons = answers.buttons.map(({ sentence }) => sentence)
  let displays = new Set<SpeakerDisplay>()
  let heard: string | undefined
  let press = (_outcome: Outcome) => {}
  const pressed = new Promise<Outcome>((resolve) => {
    press = resolve
  })
  const show = (display: SpeakerDisplay) =>
    display.showQuestion({ id, text, buttons, ...(heard !== undefined && { heard }) }, (index) => {
      const answer = answers.buttons[index]
      if (answer) press({ answer, by: 'button' })
    })
  return {
    pressed,
    get isShown() {
      return displays.size > 0 && buttons.length > 0
    },
    showOn(speakers) {
      const before = displays
      displays = new Set(speakers.flatMap(({ driver }) => driver.display ?? []))
      for (const display of before) if (!displays.has(display)) display.hideQuestion(id)
      for (const display of displays) if (!before.has(display)) show(display)
    },
    showTurn(turn) {
      if (!turn.answer) heard = turn.transcript
      for (const display of displays) {
        if (turn.answer) display.showHeard({ text: turn.transcript, isUnderstood: true })
        else show(display)
      }
    },
  }
}
