import type { ShownQuestion } from '../../speakers/display.ts'
import { element, type MicrophoneTexts, write } from '../page-texts.ts'
import type { MicrophoneState } from './browser-microphone.ts'

export interface QuestionViewOptions {
  texts: MicrophoneTexts
  /** Sends the number of the button that was pressed. @throws if the server has not received it: the page then says that it has no connection. */
  answer(id: string, index: number): Promise<unknown>
  onResize(): void
}

/** Shows a question with a button for each answer, whether the page listens, and what it has heard. */
export function createQuestionView({ texts, answer, onResize }: QuestionViewOptions) {
  let isAsking = false
  const buttonFor = (id: string, words: string, index: number) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = words
    button.addEventListener('click', () => {
      answer(id, index).catch(() => {})
    })
    return button
  }
  return {
    showQuestion(question: ShownQuestion | undefined) {
      isAsking = question !== undefined
      element('question').hidden = !isAsking
      if (question) {
        const { id, text, buttons, heard } = question
        write('question-text', text)
        element('answers').replaceChildren(
          ...buttons.map((words, index) => buttonFor(id, words, index)),
        )
        const words = heard?.text ? `“${heard.text}”` : ''
        write(
          'question-heard',
          heard ? `${words} ${heard.isUnderstood ? '' : texts.notUnderstood}` : '',
        )
      }
      const isListening = document.body.classList.contains('listening')
      if (!isAsking && !isListening) write('question-microphone', '')
      onResize()
    },
    showMicrophone(state: MicrophoneState) {
      document.body.classList.toggle('listening', state === 'open')
      const isProblem = state !== 'closed' && state !== 'opening' && state !== 'open'
      const isShown = isAsking || state === 'open'
      write(
        'question-microphone',
        state === 'closed' || !isShown ? '' : texts[state === 'open' ? 'listening' : state],
      )
      element('question-microphone').classList.toggle('problem', isProblem)
    },
  }
}
