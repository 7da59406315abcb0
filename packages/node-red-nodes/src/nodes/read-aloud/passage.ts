import { silenceOf } from '../../playback/chime.ts'
import type { WantedSound } from '../../playback/play-on-speakers.ts'
import { createSound, type Sound, stepBytes } from '../../sounds/sound.ts'
import { trimSilence } from './trim-silence.ts'

/** A minute and a half of speech. A player in the network takes a second or two to begin the next one. */
const maxCharacters = 1_500
/** The pause between two sentences. */
const pauseMs = 350

/** Sentences that are played as one sound, so that the pauses between them are those of a person who reads. */
export interface Passage {
  /** The first sentence, counted from 0. */
  from: number
  /** The sentence after the last one. */
  to: number
}

/** The passage that begins with a sentence. */
export function passageAt(sentences: readonly string[], from: number): Passage {
  let characters = sentences[from]?.length ?? 0
  let to = from + 1
  while (to < sentences.length && characters + sentences[to]!.length <= maxCharacters) {
    characters += sentences[to]!.length
    to += 1
  }
  return { from, to }
}

export interface PassageOptions {
  wanted: WantedSound
  signal: AbortSignal
  /** The sound of a sentence. */
  soundOf(index: number): Sound
  /** Called when it is known where a sentence begins in the sound. */
  onBegin(index: number, seconds: number): void
}

/** Puts the sounds of sentences one after the other, with pauses. They are made while the passage is played. */
export function passageSound(
  { from, to }: Passage,
  { wanted, signal, soundOf, onBegin }: PassageOptions,
): Sound {
  const sound = createSound(wanted.format, stepBytes)
  // The frames of MP3 stay as they are, with the silence that the voice puts around a sentence.
  const isPcm = wanted.format.audioEncoding === 'PCM'
  const append = async () => {
    for (let index = from; index < to; index++) {
      onBegin(index, sound.durationSeconds ?? 0)
      const trim = isPcm ? trimSilence() : (chunk: Uint8Array) => chunk
      for await (const chunk of soundOf(index).read(signal)) {
        sound.append(trim(chunk))
        await sound.room(signal)
      }
      const silence = isPcm ? silenceOf(wanted.format, pauseMs) : undefined
      if (silence && index < to - 1) sound.append(silence)
    }
    sound.complete()
  }
  append().catch((error) => sound.fail(error))
  return sound
}

/** Reports which sentence of a passage is heard, by the clock: speakers report only when they begin and end. */
export class PassageClock {
  readonly #begins = new Map<number, number>()
  readonly #onSentence: (index: number) => void
  #index: number
  #startedAt: number | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor({ from }: Passage, onSentence: (index: number) => void) {
    this.#index = from
    this.#onSentence = onSentence
  }

  /** A sentence begins this long after the start of the sound. */
  noteBegin(index: number, seconds: number): void {
    // Several speakers may need sounds of their own, which are about as long.
    if (!this.#begins.has(index)) this.#begins.set(index, seconds)
    this.#schedule()
  }

  /** The first sample is heard now, on the first speaker or on another one. @param silenceMs before the first sentence. */
  noteHeard(silenceMs: number): void {
    if (this.#isStopped || this.#startedAt !== undefined) return
    this.#startedAt = performance.now() + silenceMs
    this.#onSentence(this.#index)
    this.#schedule()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    const next = this.#begins.get(this.#index + 1)
    if (this.#isStopped || this.#startedAt === undefined || next === undefined) return
    const restMs = this.#startedAt + next * 1000 - performance.now()
    this.#timer = setTimeout(() => this.#goOn(), Math.max(restMs, 0))
  }

  #goOn(): void {
    this.#index += 1
    this.#onSentence(this.#index)
    this.#schedule()
  }
}
