import type { ReadingAction, ReadingDisplay, ShownReading } from '../../speakers/display.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Reader } from './reader.ts'
import type { ReadAloudText } from './reading.ts'

/** Shows the text that a node reads on the pages of its speakers, and takes their buttons. */
export class ReadingDisplays {
  readonly #speakersOf: (reading: ReadAloudText) => readonly Speaker[]
  #shown: { json: string; id: string; displays: readonly ReadingDisplay[] } | undefined

  /** @param speakersOf where a text is read. */
  constructor(speakersOf: (reading: ReadAloudText) => readonly Speaker[]) {
    this.#speakersOf = speakersOf
  }

  show(reader: Reader): void {
    const { current } = reader
    if (current) this.#showReading(reader, current)
    else this.close()
  }

  #showReading(reader: Reader, current: ReadAloudText): void {
    const shown = shownReading(current)
    const displays = this.#speakersOf(current).flatMap(({ driver }) => driver.readingDisplay ?? [])
    const json = JSON.stringify(shown)
    const before = this.#shown
    this.#shown = { json, id: shown.id, displays }
    for (const display of before?.displays ?? []) {
      if (before?.id !== shown.id || !displays.includes(display)) display.hideReading(before!.id)
    }
    for (const display of displays) {
      if (before?.json === json && before.displays.includes(display)) continue
      display.showReading(shown, (action) => {
        if (reader.current === current) control(reader, action)
      })
    }
  }

  /** Hides the text. */
  close(): void {
    for (const display of this.#shown?.displays ?? []) display.hideReading(this.#shown!.id)
    this.#shown = undefined
  }
}

function shownReading({ id, index, sentences, isPaused }: ReadAloudText): ShownReading {
  return {
    id,
    text: sentences[index]!,
    sentence: index + 1,
    sentences: sentences.length,
    isPaused,
  }
}

function control(reader: Reader, action: ReadingAction): void {
  if (action === 'pause') reader.pause()
  else if (action === 'resume') reader.resume()
  else reader.skip(action === 'back' ? -1 : 1)
}
