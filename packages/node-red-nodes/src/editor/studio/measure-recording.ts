import { clippingWarnings, durationWarnings } from '@parlando/core/audio'

/** What a recording is like. Levels are in dB of full scale: 0 is the loudest, -100 is silence. */
export interface RecordingFacts {
  seconds: number
  /** The level of the last 20 ms. */
  levelDb: number
  /** The level of loud syllables, which 10 % of the recording exceed. */
  speechDb: number
  /** The level between the words, below which 10 % of the recording are. */
  noiseDb: number
  /** The share of samples at full scale, from 0 to 1. */
  clippedShare: number
}

/** What makes a clone worse, in the order of importance. */
export type RecordingFlaw = 'silent' | 'clipped' | 'quiet' | 'noisy' | 'too-short' | 'too-long'

/** A level is measured over this time: long enough for the lowest voice, shorter than a sound of speech. */
const frameSeconds = 0.02
const lowestDb = -100
/** The local service has the same limit: a sample at full scale need not be exactly there. */
const clippedFrom = 32_735
/** A microphone that is on has some noise. */
const silentBelowDb = -70
const quietBelowDb = -36
/** The local service warns below this, too. */
const minAboveNoiseDb = 15
/** In less time, the first pause has not come yet. */
const minSecondsForNoise = 2

/** Measures a recording while it grows. It keeps how often each level occurs, so that its memory has a limit. */
export class RecordingMeter {
  readonly #sampleRateHertz: number
  readonly #counts = new Uint32Array(-lowestDb + 1)
  #samples = 0
  #clipped = 0
  #levelDb = lowestDb

  constructor(sampleRateHertz: number) {
    this.#sampleRateHertz = sampleRateHertz
  }

  /** @param frame 20 ms of sound. @returns its level. */
  push(frame: Int16Array): number {
    let power = 0
    for (const sample of frame) {
      power += sample * sample
      if (Math.abs(sample) >= clippedFrom) this.#clipped += 1
    }
    const level = 10 * Math.log10(power / frame.length / 0x8000 ** 2 || 1e-10)
    this.#levelDb = Math.max(lowestDb, Math.min(0, level))
    const bin = Math.round(this.#levelDb) - lowestDb
    this.#counts[bin] = (this.#counts[bin] ?? 0) + 1
    this.#samples += frame.length
    return this.#levelDb
  }

  get facts(): RecordingFacts {
    return {
      seconds: this.#samples / this.#sampleRateHertz,
      levelDb: this.#levelDb,
      speechDb: this.#percentile(0.9),
      noiseDb: this.#percentile(0.1),
      clippedShare: this.#samples === 0 ? 0 : this.#clipped / this.#samples,
    }
  }

  /** The level below which this share of the recording is. */
  #percentile(share: number): number {
    const wanted = share * this.#counts.reduce((sum, count) => sum + count, 0)
    let seen = 0
    for (const [bin, count] of this.#counts.entries()) {
      seen += count
      if (count > 0 && seen >= wanted) return bin + lowestDb
    }
    return lowestDb
  }
}

/** Measures a whole recording. */
export function measureRecording(samples: Int16Array, sampleRateHertz: number): RecordingFacts {
  const meter = new RecordingMeter(sampleRateHertz)
  for (const frame of framesOf(samples, sampleRateHertz)) meter.push(frame)
  return meter.facts
}

/** @param isComplete whether the recording has ended: before, it may still become long enough. */
export function flawsOf(
  { seconds, speechDb, noiseDb, clippedShare }: RecordingFacts,
  isComplete: boolean,
): RecordingFlaw[] {
  if (seconds >= 1 && speechDb < silentBelowDb) return ['silent']
  const flaws: RecordingFlaw[] = []
  if (clippingWarnings(clippedShare).length > 0) flaws.push('clipped')
  if (seconds >= minSecondsForNoise && speechDb < quietBelowDb) flaws.push('quiet')
  if (seconds >= minSecondsForNoise && speechDb - noiseDb < minAboveNoiseDb) flaws.push('noisy')
  for (const { code } of durationWarnings(seconds)) {
    if (code === 'too-long' || (code === 'too-short' && isComplete)) flaws.push(code)
  }
  return flaws
}

/** Where a part of a recording begins and ends, in seconds. */
export interface Span {
  start: number
  end: number
}

/** Quiet beginnings and endings of words, and a breath. */
const marginSeconds = 0.2
/** Speech is louder than the noise by this much at least, and quieter than its loud syllables by this much at most. */
const overNoiseDb = 9
const belowSpeechDb = 30

/** The part from the first word to the last one, at most `maxSeconds` long. The whole recording if it contains no words. */
export function spanOfSpeech(
  samples: Int16Array,
  sampleRateHertz: number,
  maxSeconds: number,
): Span {
  const { seconds, speechDb, noiseDb } = measureRecording(samples, sampleRateHertz)
  const threshold = Math.max(noiseDb + overNoiseDb, speechDb - belowSpeechDb)
  const meter = new RecordingMeter(sampleRateHertz)
  const loud = framesOf(samples, sampleRateHertz).map((frame) => meter.push(frame) > threshold)
  const first = loud.indexOf(true)
  if (first < 0) return { start: 0, end: Math.min(seconds, maxSeconds) }
  const start = Math.max(0, first * frameSeconds - marginSeconds)
  const last = (loud.lastIndexOf(true) + 1) * frameSeconds + marginSeconds
  return { start, end: Math.min(last, seconds, start + maxSeconds) }
}

/** The loudest sample of each of this many equal parts, from 0 to 1: enough to draw the recording. */
export function peaksOf(samples: Int16Array, parts: number): Float32Array {
  return Float32Array.from({ length: parts }, (_, part) => {
    const start = Math.floor((part * samples.length) / parts)
    const end = Math.floor(((part + 1) * samples.length) / parts)
    let peak = 0
    for (let at = start; at < end; at++) peak = Math.max(peak, Math.abs(samples[at]!))
    return peak / 0x8000
  })
}

function framesOf(samples: Int16Array, sampleRateHertz: number): Int16Array[] {
  const length = Math.round(frameSeconds * sampleRateHertz)
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) =>
    samples.subarray(index * length, (index + 1) * length),
  )
}
