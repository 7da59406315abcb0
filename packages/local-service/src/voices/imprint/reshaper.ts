import { createSignal, joinSamples } from '../../audio/signal.ts'
import type { ImprintSettings } from './imprint-settings.ts'
import { markAheadSeconds, nextMark, type PitchMark } from './pitch-marks.ts'
import { framesPerSecond, PitchTracker } from './pitch-tracker.ts'

const lowestHertz = 50
const highestHertz = 500

/**
 * Changes the pitch, melody, formants and length of one phrase: pitch-synchronous overlap-add (PSOLA) of grains of two
 * periods, each cut around a pitch mark. Moving grains closer together raises the pitch, repeating or skipping them changes
 * the length, and resampling them moves the formants. The result depends only on the sound, never on how it is split into
 * pieces.
 */
export class Reshaper {
  readonly #settings: ImprintSettings
  readonly #sampleRateHertz: number
  readonly #ahead: number
  readonly #widest: number
  readonly #tracker: PitchTracker
  readonly #input = createSignal()
  readonly #marks: PitchMark[] = []
  readonly #output = createAdder()
  /** The last mark that is not after the next grain. */
  #nearest = 0
  #used: PitchMark | undefined
  /** The middle of the next grain in the output. */
  #centre = 0

  constructor(settings: ImprintSettings, sampleRateHertz: number) {
    const { fromHertz } = settings
    this.#settings = settings
    this.#sampleRateHertz = sampleRateHertz
    this.#ahead = Math.round(markAheadSeconds * sampleRateHertz)
    this.#widest = Math.ceil(sampleRateHertz / lowestHertz)
    this.#tracker = new PitchTracker(sampleRateHertz, {
      lowestHertz: Math.max(lowestHertz, fromHertz / 2),
      highestHertz: Math.min(highestHertz, fromHertz * 2),
    })
  }

  /** @returns the samples that are ready; about the last 50 ms need more input. */
  push(samples: Float32Array): Float32Array {
    this.#forgetUsed()
    this.#input.push(samples)
    this.#tracker.push(samples)
    this.#findMarks()
    this.#addGrains()
    return this.#output.take(Math.round(this.#centre) - this.#widest)
  }

  end(): Float32Array {
    const length = Math.round(this.#input.length * this.#settings.timeFactor)
    const { taken } = this.#output
    const ending = this.push(new Float32Array(this.#ahead + 4 * this.#widest))
    return joinSamples([ending, this.#output.take(length)]).subarray(0, length - taken)
  }

  /** Drops the sound before the next grain, and before what is compared to find the next mark. */
  #forgetUsed(): void {
    const nearest = this.#marks[this.#nearest]
    if (!nearest) return
    const before = Math.ceil(this.#widest * Math.max(1, this.#settings.formantFactor))
    this.#input.forget(nearest.place - before - samplesAround)
  }

  #findMarks(): void {
    for (;;) {
      const last = this.#marks.at(-1)
      const reached = last ? last.place + last.period : 0
      const frame = Math.ceil((reached * framesPerSecond) / this.#sampleRateHertz) + 2
      if (reached + this.#ahead > this.#input.length || frame >= this.#tracker.length) return
      this.#marks.push(nextMark(last, this.#input, this.#tracker, this.#sampleRateHertz))
    }
  }

  #addGrains(): void {
    const marks = this.#marks
    for (;;) {
      const place = this.#centre / this.#settings.timeFactor
      while (marks[this.#nearest + 1] && marks[this.#nearest + 1]!.place <= place)
        this.#nearest += 1
      const before = marks[this.#nearest]
      const next = marks[this.#nearest + 1]
      if (!before || !next || next.place <= place) return
      // A grain also reads a little sound after its mark.
      if (next.place + 2 * this.#widest > this.#input.length) return
      const mark = place - before.place <= next.place - place ? before : next
      const period = this.#newPeriod(mark)
      this.#addGrain(mark, period)
      this.#used = mark
      this.#centre += period
    }
  }

  #newPeriod(mark: PitchMark): number {
    if (!mark.isVoiced) return mark.period
    const { fromHertz, toHertz, rangeFactor } = this.#settings
    const octaves = Math.log2(this.#sampleRateHertz / mark.period / fromHertz) * rangeFactor
    const hertz = toHertz * 2 ** octaves
    return this.#sampleRateHertz / Math.min(highestHertz, Math.max(lowestHertz, hertz))
  }

  #addGrain(mark: PitchMark, period: number): void {
    const { formantFactor } = this.#settings
    const factor = mark.isVoiced ? formantFactor : Math.sqrt(formantFactor)
    const length = Math.min(mark.period / factor, Math.max(period, mark.period * 0.6))
    const half = Math.min(this.#widest, Math.round(mark.isVoiced ? length : mark.period))
    // Repeated noise turns into a hum, so a repeated unvoiced grain is read backwards.
    const step = !mark.isVoiced && mark === this.#used ? -factor : factor
    const level = Math.sqrt(period / half)
    const { samples, start } = this.#input
    const grain = { place: mark.place - start, half, step, level }
    this.#output.add(samples, grain, Math.round(this.#centre) - half)
  }
}

interface Grain {
  /** Its middle in the samples. */
  place: number
  /** Half its length. */
  half: number
  /** Its distance between two samples; negative to read backwards. */
  step: number
  level: number
}

/**
 * Adds a grain to the output with a Hann window, whose cosine is calculated from the two before it. A buffer for each grain
 * took 7 % of the time of an imprint.
 * @param start the index of its first sample in the output. What is before the output is over.
 */
function addGrain(
  output: Float32Array,
  start: number,
  samples: Float32Array,
  { place, half, step, level }: Grain,
): void {
  const turn = Math.cos(Math.PI / half)
  let cosine = -1
  let before = -turn
  for (let index = 0; index < 2 * half; index++) {
    const taper = 0.5 + 0.5 * cosine
    if (start + index >= 0)
      output[start + index]! += level * taper * read(samples, place, (index - half) * step)
    const next = 2 * turn * cosine - before
    before = cosine
    cosine = next
  }
}

/** How many samples `read` uses on either side of the place. */
const samplesAround = 2

/**
 * Interpolates between samples with a cubic through the four nearest ones. Before the beginning is silence. A little
 * aliasing remains; it fills the highest frequencies, which would otherwise be empty when formants are moved down.
 * @param distance from the place. A sum of both would be rounded, differently after the signal has dropped samples.
 */
function read(samples: Float32Array, place: number, distance: number): number {
  const floor = Math.floor(distance)
  const index = place + floor
  if (index < 1) return 0
  const part = distance - floor
  const middle = samples[index]!
  if (part === 0) return middle
  const before = samples[index - 1]!
  const next = samples[index + 1]!
  const after = samples[index + 2]!
  const slope = (next - before) / 2
  const bend = before - 2.5 * middle + 2 * next - after / 2
  const twist = (after - before) / 2 + 1.5 * (middle - next)
  return ((twist * part + bend) * part + slope) * part + middle
}

/** The sound from what was taken on, to which grains are added. */
function createAdder() {
  let memory = new Float32Array(1 << 14)
  let taken = 0
  return {
    get taken() {
      return taken
    },
    /** @param start the index of the first sample of the grain. */
    add(samples: Float32Array, grain: Grain, start: number) {
      const end = start - taken + 2 * grain.half
      if (end > memory.length) {
        const larger = new Float32Array(2 * end)
        larger.set(memory)
        memory = larger
      }
      addGrain(memory, start - taken, samples, grain)
    },
    take(end: number): Float32Array {
      const count = end - taken
      if (count <= 0) return new Float32Array()
      const samples = new Float32Array(count)
      samples.set(memory.subarray(0, count))
      memory.copyWithin(0, count)
      memory.fill(0, Math.max(0, memory.length - count))
      taken = end
      return samples
    },
  }
}
