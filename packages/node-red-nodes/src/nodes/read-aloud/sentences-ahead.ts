import type { WantedSound } from '../../playback/play-on-speakers.ts'
import type { Sound } from '../../sounds/sound.ts'

interface Made {
  index: number
  sound: Sound
  making: AbortController
}

/** Makes the sound of the sentence at a position. `isAhead`: nobody waits for it yet. */
export type MakeSentence = (
  index: number,
  wanted: WantedSound,
  call: { signal: AbortSignal; isAhead: boolean },
) => Sound

/** Makes the sound of each sentence while the one before it is heard, so that a listener hears no gap between them. */
export class SentencesAhead {
  readonly #make: MakeSentence
  readonly #count: number
  /** The next sentence, by what the speakers want. */
  readonly #next = new Map<string, Made>()

  /** @param count how many sentences the text has. */
  constructor(count: number, make: MakeSentence) {
    this.#count = count
    this.#make = make
  }

  /** @returns the sound of a sentence that is said now. */
  soundOf(index: number, wanted: WantedSound, signal: AbortSignal): Sound {
    const key = JSON.stringify(wanted)
    const sound =
      this.#take(key, index, signal) ?? this.#make(index, wanted, { signal, isAhead: false })
    const makeNext = () => {
      if (!signal.aborted) this.#makeAhead(key, index + 1, wanted)
    }
    // Not earlier: the machine is to make one sentence after the other.
    sound.completed.then(makeNext, () => {})
    return sound
  }

  /** Ends what is being made. */
  close(): void {
    for (const { making } of this.#next.values()) making.abort()
    this.#next.clear()
  }

  #take(key: string, index: number, signal: AbortSignal): Sound | undefined {
    const made = this.#next.get(key)
    if (!made) return undefined
    this.#next.delete(key)
    const { sound, making } = made
    const end = () => making.abort()
    if (made.index !== index) return void end()
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    return sound
  }

  #makeAhead(key: string, index: number, wanted: WantedSound): void {
    const known = this.#next.get(key)
    if (index >= this.#count || known?.index === index) return
    known?.making.abort()
    const making = new AbortController()
    const sound = this.#make(index, wanted, { signal: making.signal, isAhead: true })
    this.#next.set(key, { index, sound, making })
    // It is tried again when it is said.
    sound.completed.catch(() => {
      if (this.#next.get(key)?.sound === sound) this.#next.delete(key)
    })
  }
}
