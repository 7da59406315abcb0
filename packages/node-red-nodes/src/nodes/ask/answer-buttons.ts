import type { Speaker } from '../../speakers/speaker.ts'
import type { HeardTurn, Outcome } from './match-answer.ts'
import type { Question } from './read-question.ts'

/** The answers that speakers with a display show as buttons. */
export interface Buttons {
  /** Resolves when somebody presses one. */
  pressed: Promise<Outcome>
  /** Whether any speaker shows them. */
  isShown: boolean
  /** Shows what was heard. */
  showTurn(turn: HeardTurn): void
  hide(): void
}

/** Shows the question and its buttons. */
export function showButtons(
  { text, answers }: Question,
  { speakers, createId }: { speakers: readonly Speaker[]; createId(): string },
): Buttons {
  const id = createId()
  const displays = speakers.flatMap(({ driver }) => driver.display ?? [])
  const buttons = answers.buttons.map(({ sentence }) => sentence)
  let press = (_outcome: Outcome) => {}
  const pressed = new Promise<Outcome>((resolve) => {
    press = resolve
  })
  const show = (turn?: HeardTurn) => {
    const heard = turn && { text: turn.heard, isUnderstood: turn.answer !== undefined }
    const question = { id, text, buttons, ...(heard && { heard }) }
    for (const display of displays) {
      display.showQuestion(question, (index) => {
        const answer = answers.buttons[index]
        if (answer) press({ answer, by: 'button' })
      })
    }
  }
  show()
  return {
    pressed,
    isShown: displays.length > 0 && buttons.length > 0,
    showTurn: show,
    hide: () => {
      for (const display of displays) display.hideQuestion(id)
    },
  }
}
