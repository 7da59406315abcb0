import { createSignal, joinSamples } from '../../audio/signal.ts'
import { markAheadSeconds, nextMark, type PitchMark } from './pitch-marks.ts'
import { createPitchTracker, framesPerSecond } from './pitch-tracker.ts'
import type { ImprintSettings } from './settings.ts'

const lowestHertz = 50
const highestHertz = 500

/** Changes the pitch, melody, formants and length of one phrase. */
export interface Reshaper {
  /** @returns the samples that are ready; about the last 50 ms need more input. */
  push(samples: Float32Array): Float32Array
  end(): Float32Array
}

/**
 * Pitch-synchronous overlap-add (PSOLA) of grains of two periods, each cut around a pitch mark. Moving grains closer
 * together raises the pitch, repeating or skipping them changes the length, and resampling them moves the formants.
 * The result depends only on the sound, never on how it is split into pieces.
 */
export function createReshaper(settings: ImprintSettings, sampleRateHertz: number): Reshaper {
  const { fromHertz, toHertz, rangeFactor, timeFactor } = settings
  const ahead = Math.round(markAheadSeconds * sampleRateHertz)
  const widest = Math.ceil(sampleRateHertz / lowestHertz)
  const tracker = createPitchTracker(sampleRateHertz, {
    lowestHertz: Math.max(lowestHertz, fromHertz / 2),
    highestHertz: Math.min(highestHertz, fromHertz * 2),
  })
  const input = createSignal()
  const marks: PitchMark[] = []
  const output = createAdder()
  let nearest = 0
  let used: PitchMark | undefined
  let centre = 0

  const newPeriod = (mark: PitchMark): number => {
    if (!mark.isVoiced) return mark.period
    const octaves = Math.log2(sampleRateHertz / mark.period / fromHertz) * rangeFactor
    const hertz = toHertz * 2 ** octaves
    return sampleRateHertz / Math.min(highestHertz, Math.max(lowestHertz, hertz))
  }

  const findMarks = () => {
    for (;;) {
      const last = marks.at(-1)
      const reached = last ? last.place + last.period : 0
      const frame = Math.ceil((reached * framesPerSecond) / sampleRateHertz) + 2
      if (reached + ahead > input.length || frame >= tracker.length) return
      marks.push(nextMark(last, input.samples, tracker, sampleRateHertz))
    }
  }

  const addGrains = () => {
    for (;;) {
      const place = centre / timeFactor
      while (nearest + 1 < marks.length && marks[nearest + 1]!.place <= place) nearest += 1
      const next = marks[nearest + 1]
      if (!next || next.place <= place) return
      // A grain also reads a little sound after its mark.
      if (next.place + 2 * widest > input.length) return
      const mark = place - marks[nearest]!.place <= next.place - place ? marks[nearest]! : next
      const period = newPeriod(mark)
      addGrain(mark, period)
      used = mark
      centre += period
    }
  }

  const addGrain = (mark: PitchMark, period: number) => {
    const factor = mark.isVoiced ? settings.formantFactor : Math.sqrt(settings.formantFactor)
    const length = Math.min(mark.period / factor, Math.max(period, mark.period * 0.6))
    const half = Math.min(widest, Math.round(mark.isVoiced ? length : mark.period))
    // Repeated noise turns into a hum, so a repeated unvoiced grain is read backwards.
    const step = !mark.isVoiced && mark === used ? -factor : factor
    const level = Math.sqrt(period / half)
    const grain = cutGrain(input.samples, { place: mark.place, half, step, level })
    output.add(Math.round(centre) - half, grain)
  }

  const push = (samples: Float32Array): Float32Array => {
    input.push(samples)
    tracker.push(samples)
    findMarks()
    addGrains()
    return output.take(Math.round(centre) - widest)
  }

  return {
    push,
    end() {
      const length = Math.round(input.length * timeFactor)
      const taken = output.taken
      const ending = push(new Float32Array(ahead + 4 * widest))
      return joinSamples([ending, output.take(length)]).subarray(0, length - taken)
    },
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

/** Cuts a grain with a Hann window, whose cosine is calculated from the two before it. */
function cutGrain(samples: Float32Array, { place, half, step, level }: Grain): Float64Array {
  const grain = new Float64Array(2 * half)
  const turn = Math.cos(Math.PI / half)
  let cosine = -1
  let before = -turn
  for (let index = 0; index < grain.length; index++) {
    const taper = 0.5 + 0.5 * cosine
    grain[index] = level * taper * read(samples, place + (index - half) * step)
    const next = 2 * turn * cosine - before
    before = cosine
    cosine = next
  }
  return grain
}

/**
 * Interpolates between samples with a cubic through the four nearest ones. Before the beginning is silence. A little
 * aliasing remains; it fills the highest frequencies, which would otherwise be empty when formants are moved down.
 */
function read(samples: Float32Array, place: number): number {
  const index = Math.floor(place)
  if (index < 1) return 0
  const part = place - index
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

/** A buffer of sound to which grains are added before it is taken. */
function createAdder() {
  let memory = new Float32Array(1 << 15)
  let taken = 0
  return {
    get taken() {
      return taken
    },
    add(start: number, grain: Float64Array) {
      const end = start + grain.length
      if (end > memory.length) {
        const larger = new Float32Array(2 * end)
        larger.set(memory)
        memory = larger
      }
      for (let index = Math.max(start, taken); index < end; index++) {
        memory[index]! += grain[index - start]!
      }
    },
    take(end: number): Float32Array {
      if (end <= taken) return new Float32Array()
      const samples = new Float32Array(end - taken)
      samples.set(memory.subarray(taken, end))
      taken = end
      return samples
    },
  }
}
