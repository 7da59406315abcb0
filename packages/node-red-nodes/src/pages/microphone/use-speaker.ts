import { element } from '../page-texts.ts'
import { connectSpeaker } from '../speaker/connect-speaker.ts'
import { createQuestionView } from '../speaker/question-view.ts'
import { removeHint, showHint, showText, texts } from './microphone-signs.ts'

/** Plays the sounds of a speaker page, too, and shows its announcements. */
export function useSpeaker(name: string): void {
  const path = new URL(`../speaker/${encodeURIComponent(name)}`, location.href).pathname
  const { unlock, setVolume, answer } = connectSpeaker(path, {
    onSaying(saying) {
      document.body.classList.toggle('saying', saying !== undefined)
      // The text stays until the next one. That of a response may be shown before its sound.
      if (saying) showText('assistant', saying)
    },
    onUnlocked(isUnlocked) {
      if (isUnlocked) removeHint('sound')
      else showHint('sound')
    },
    // The state of the page is that of its microphone.
    onConnected() {},
    onQuestion: (question) => questionView.showQuestion(question),
    onHeard({ text, isUnderstood, response = '' }) {
      showText('user', text)
      showText('assistant', isUnderstood ? response : texts.notUnderstood)
    },
    // Commands would share the microphone with the button.
    microphoneUses: ['question'],
    onMicrophone: (_use, state) => questionView.showMicrophone(state),
  })
  const questionView = createQuestionView({ texts, answer, onResize() {} })
  element('volume-row').hidden = false
  const volume = element<HTMLInputElement>('volume')
  volume.addEventListener('input', () => setVolume(Number(volume.value)))
  showHint('sound')
  // Some browsers need no tap: a kiosk, or where the user allows sound for this page.
  unlock()
}
