import type { SpeakerDisplay } from '../../speakers/display.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Outcome, RecognisedTurn } from './match-answer.ts'
import type { Question } from './read-question.ts'

/** The answers that speakers with a display show as buttons. */
export interface Buttons {
  /** Resolves when somebody has pressed one. @param signal ends the wait: the promise then stays open, and holds nothing. */
  untilPressed(signal: AbortSignal): Promise<Outcome>
  /** Whether any speaker shows them. */
  readonly isShown: boolean
  /** Shows the question and its buttons on these speakers, and no longer on others. */
  showOn(speakers: readonly Speaker[]): void
  /** Shows the transcript of what somebody has said: that of an answer stays when the question is over. */
  showTurn(turn: RecognisedTurn): void
}

/** @param id of the question, on the displays. */
export function createButtons(
  { text, answers }: Pick<Question, 'text' | 'answers'>,
  id: string,
): Buttons {
  const buttons = answers.buttons.map(({ sentence }) => sentence)
  let displays = new Set<SpeakerDisplay>()
  let heard: string | undefined
  let pressed: Outcome | undefined
  // An important question is asked for days: each of its repetitions waits anew.
  const waiting = new Set<(outcome: Outcome) => void>()
  const press = (outcome: Outcome) => {
    pressed ??= outcome
    for (const resolve of waiting) resolve(pressed)
    waiting.clear()
  }
  const show = (display: SpeakerDisplay) =>
    display.showQuestion({ id, text, buttons, ...(heard !== undefined && { heard }) }, (index) => {
      const answer = answers.buttons[index]
      if (answer) press({ answer, by: 'button' })
    })
  return {
    untilPressed: (signal) =>
      new Promise((resolve) => {
        if (pressed) return resolve(pressed)
        if (signal.aborted) return
        waiting.add(resolve)
        signal.addEventListener('abort', () => waiting.delete(resolve), { once: true })
      }),
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
