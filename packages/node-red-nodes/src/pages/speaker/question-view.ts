import type { ShownQuestion } from '../../speakers/display.ts'
import { element, type MicrophoneTexts, write } from '../page-texts.ts'
import type { MicrophoneState } from './browser-microphone.ts'

export interface QuestionViewOptions {
  texts: MicrophoneTexts
  /** Sends the number of the button that was pressed. @throws if the server has not received it: the page then says that it has no connection. */
  answer(id: string, index: number): Promise<unknown>
  onResize(): void
}

/**
 * Shows a question with a button for each answer, whether the page listens, and what it has heard. A question that is shown again
 * keeps its text and its buttons, so that the focus stays on them and screen readers read it once.
 */
export function createQuestionView({ texts, answer, onResize }: QuestionViewOptions) {
  let shownId: string | undefined
  const buttonFor = (id: string, words: string, index: number) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = words
    button.addEventListener('click', () => {
      answer(id, index).catch(() => {})
    })
    return button
  }
  const showText = ({ id, text, buttons }: ShownQuestion) => {
    write('question-text', text)
    const all = buttons.map((words, index) => buttonFor(id, words, index))
    element('answers').replaceChildren(...all)
  }
  return {
    showQuestion(question: ShownQuestion | undefined) {
      element('question').hidden = question === undefined
      if (question && question.id !== shownId) showText(question)
      shownId = question?.id
      const { heard } = question ?? {}
      const words = heard && `“${heard}” `
      write('question-heard', heard === undefined ? '' : `${words}${texts.notUnderstood}`)
      const isListening = document.body.classList.contains('listening')
      if (!question && !isListening) write('question-microphone', '')
      onResize()
    },
    showMicrophone(state: MicrophoneState) {
      document.body.classList.toggle('listening', state === 'open')
      const isProblem = state !== 'closed' && state !== 'opening' && state !== 'open'
      const isShown = shownId !== undefined || state === 'open'
      write(
        'question-microphone',
        state === 'closed' || !isShown ? '' : texts[state === 'open' ? 'listening' : state],
      )
      element('question-microphone').classList.toggle('problem', isProblem)
    },
  }
}
