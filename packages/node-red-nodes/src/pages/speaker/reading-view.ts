import type { ReadingAction, ShownReading } from '../../speakers/display.ts'
import { element, type TextsOf, write } from '../page-texts.ts'

export interface ReadingViewOptions {
  texts: TextsOf<'speaker'>
  /** Sends the button that was pressed. @throws if the server has not received it. */
  control(id: string, action: ReadingAction): Promise<unknown>
  /** Shows a sentence, also one that nobody says now. */
  showText(text: string): void
}

/** Shows where a text is that is read aloud, with buttons that go back, pause or go on, and go forward. */
export function createReadingView({ texts, control, showText }: ReadingViewOptions) {
  let shown: ShownReading | undefined
  const button = (id: string, action: () => ReadingAction) => {
    const own = element<HTMLButtonElement>(id)
    own.addEventListener('click', () => {
      // The server then sends where the text is, also when the page is connected again.
      const showAway = () => write('reading-place', texts.connecting)
      if (shown) control(shown.id, action()).catch(showAway)
    })
    return own
  }
  const label = (own: HTMLButtonElement, text: string) => {
    own.setAttribute('aria-label', text)
    own.title = text
  }
  label(
    button('reading-back', () => 'back'),
    texts.sentenceBack,
  )
  label(
    button('reading-forward', () => 'forward'),
    texts.sentenceForward,
  )
  const pause = button('reading-pause', () => (shown?.isPaused ? 'resume' : 'pause'))
  element('reading').setAttribute('aria-label', texts.reading)

  return {
    show(reading: ShownReading | undefined) {
      const hadFocus = element('reading').contains(document.activeElement)
      shown = reading
      element('reading').hidden = reading === undefined
      // A screen reader would speak each sentence while it is heard.
      element('text').setAttribute('aria-live', reading ? 'off' : 'polite')
      if (!reading) {
        if (hadFocus) element('text').focus()
        return
      }
      const { text, sentence, sentences, isPaused } = reading
      label(pause, isPaused ? texts.goOn : texts.pause)
      pause.classList.toggle('paused', isPaused)
      const place = texts.sentenceOf
        .replace('__sentence__', `${sentence}`)
        .replace('__sentences__', `${sentences}`)
      write('reading-place', isPaused ? `${texts.paused}: ${place}` : place)
      showText(text)
    },
    /** Whether a text is a sentence of what is read aloud, and no announcement. */
    isSentence: (text: string) => text === shown?.text,
  }
}
