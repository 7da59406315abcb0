import { createEchoCanceller, type EchoPower, stepSamples } from './echo-canceller.ts'
import { type EchoDelay, findEchoDelay, maxDelaySamples, searchedSamples } from './echo-delay.ts'

/** A browser reports late that it has begun. */
const earlySamples = 8_000
/** The echo is looked for this often: at first, the recording may contain little of the sound, and show a wrong delay. */
const searchEverySamples = 8_000
const maxSearches = 12
/** The played sound enters the filter a little before the first part of its echo. */
const leadSamples = 400
/** The filter bears such an error. */
const tolerableSamples = 160
/** Where the rest has less than this share of the power of the echo, it is echo too: 17 dB less. */
const residueShare = 0.02
/** A voice has gaps, and quiet sounds at its end. */
const gapSamples = 2_400
/** So quiet that no detector takes it for speech. */
const residueGain = 0.03
/** The longest sound and its end. */
const maxPlayedSamples = 130 * 16_000

/** What the recording contains between two times. */
export interface EchoPart extends EchoPower {
  /** The echo is known there, and removed. */
  isSettled: boolean
}

/**
 * Removes a sound that is being played from a recording. First it finds how late the echo of the sound is; until then, and if
 * the microphone does not hear it, the recording stays as it is.
 */
export class EchoFreeRecording {
  #canceller = createEchoCanceller()
  readonly #powers: EchoPart[] = []
  #played = new Float32Array(16_000)
  #playedLength = 0
  #history = new Float32Array(searchedSamples)
  #pending = new Float32Array(0)
  /** How many samples were recorded. */
  #position = 0
  #delay: EchoDelay | undefined
  #searches = 0
  /** Until then, the rest is taken for more than echo. */
  #restUntil = 0
  readonly #startedSamples: number

  /** @param startedSamples for how long the sound has played when the recording begins. */
  constructor(startedSamples: number) {
    this.#startedSamples = startedSamples
  }

  /** Whether it is known where the sound is in the recording, and so removed. */
  get isSettled(): boolean {
    return this.#delay !== undefined
  }

  /** Adds what the speaker plays: samples at 16 kHz from the start of the sound, which may arrive before they are heard. */
  play(samples: Float32Array): void {
    const needed = Math.min(this.#playedLength + samples.length, maxPlayedSamples)
    if (needed > this.#played.length) {
      const larger = new Float32Array(Math.min(2 * needed, maxPlayedSamples))
      larger.set(this.#played)
      this.#played = larger
    }
    this.#played.set(samples.subarray(0, needed - this.#playedLength), this.#playedLength)
    this.#playedLength = needed
  }

  /** @returns the recording without the echo, in whole steps. */
  record(samples: Float32Array): Float32Array {
    const all = new Float32Array(this.#pending.length + samples.length)
    all.set(this.#pending)
    all.set(samples, this.#pending.length)
    const steps = Math.floor(all.length / stepSamples)
    const output = new Float32Array(steps * stepSamples)
    for (let step = 0; step < steps; step++) {
      const part = all.subarray(step * stepSamples, (step + 1) * stepSamples)
      output.set(this.#step(part), step * stepSamples)
    }
    this.#pending = all.slice(steps * stepSamples)
    return output
  }

  /** What was found between two times in samples, of the result. */
  between(start: number, end: number): EchoPart {
    const [first, last] = [start, end].map((at) => Math.max(0, Math.floor(at / stepSamples))) as [
      number,
      number,
    ]
    const found: EchoPart = { echo: 0, rest: 0, isSettled: true }
    for (const { echo, rest, isSettled } of this.#powers.slice(first, last + 1)) {
      found.echo += echo
      found.rest += rest
      found.isSettled &&= isSettled
    }
    return found
  }

  #step(samples: Float32Array): Float32Array {
    this.#search()
    this.#history.copyWithin(0, stepSamples)
    this.#history.set(samples, searchedSamples - stepSamples)
    this.#position += stepSamples
    if (!this.#delay) {
      this.#powers.push({ echo: 0, rest: 0, isSettled: false })
      return samples
    }
    const output = this.#cancel(samples, this.#position)
    const { echo, rest } = this.#canceller.power
    this.#powers.push({ echo, rest, isSettled: true })
    if (rest >= residueShare * echo) this.#restUntil = this.#position + gapSamples
    return this.#position <= this.#restUntil ? output : output.map((one) => one * residueGain)
  }

  #search(): void {
    const isDue = this.#position >= searchedSamples + this.#searches * searchEverySamples
    if (!isDue || this.#searches >= maxSearches) return
    this.#searches += 1
    const start = this.#startedSamples + this.#position - searchedSamples
    const first = start - maxDelaySamples + earlySamples
    const played = this.#playedAt(first, maxDelaySamples + searchedSamples)
    const found = findEchoDelay(this.#history, played)
    const isClearer = found && found.deviations > (this.#delay?.deviations ?? 0)
    if (!isClearer) return
    const samples = found.samples - earlySamples
    const isSame = Math.abs(samples - (this.#delay?.samples ?? Infinity)) <= tolerableSamples
    this.#delay = { ...found, samples: isSame ? this.#delay!.samples : samples }
    if (!isSame) this.#learnFromHistory()
  }

  /** So the filter has settled before the next sound. */
  #learnFromHistory(): void {
    this.#canceller = createEchoCanceller()
    const steps = Math.floor(searchedSamples / stepSamples)
    for (let step = steps; step > 0; step--) {
      const from = searchedSamples - step * stepSamples
      const end = this.#position - (step - 1) * stepSamples
      this.#cancel(this.#history.subarray(from, from + stepSamples), end)
    }
  }

  /** @param end the time of the last sample. */
  #cancel(samples: Float32Array, end: number): Float32Array {
    const now = this.#startedSamples + end - this.#delay!.samples + leadSamples
    return this.#canceller.step(samples, this.#playedAt(now - stepSamples, stepSamples))
  }

  /** The samples that were played from a time on. Before the start and after the end, there is silence. */
  #playedAt(start: number, length: number): Float32Array {
    const samples = new Float32Array(length)
    const from = Math.max(0, start)
    const to = Math.min(this.#playedLength, start + length)
    if (to > from) samples.set(this.#played.subarray(from, to), from - start)
    return samples
  }
}
