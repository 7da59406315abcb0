import { writeWavHeader } from '@parlando/core/audio'
import { recogniseWithVocabulary } from './recogniser.ts'

/** The recogniser reads a third of them. */
export const recordingRateHertz = 48_000

/** A recording of a speaker. Times are those of `performance.now()`. */
export interface RecordedSound {
  isSilent: boolean
  /** When the first and the last audible sample were played. `NaN` in silence. */
  onsetAt: number
  endAt: number
  /** From the first to the last audible sample. */
  durationMs: number
  /** The silent parts between the first and the last audible sample. */
  gaps: Gap[]
  /** The level of all samples that are not 0, relative to full scale: an interruption does not lower it. */
  loudnessDb: number
  /** The frequencies of tones in the order of their start, rounded to 100 Hz. Shorter tones than 60 ms do not count. */
  tonesHertz: number[]
  /** The level between two times. */
  loudnessBetween(fromAt: number, toAt: number): number
  /**
   * Recognises speech, with only these words as the vocabulary. `undefined` if no recogniser is installed.
   * @param fromAt the sound before is left out. Default: the start of the recording.
   */
  recognise(vocabulary: readonly string[], fromAt?: number): Promise<string[] | undefined>
}

export interface Gap {
  at: number
  ms: number
}

/** About -40 dB; the recordings contain no noise. */
const audibleSample = 300
/** Shorter silent parts occur inside tones, and inside speech as stops such as "p" and "t". */
const minGapMs = 5

/** Whether a part of a recording, of whole samples, is not silent. */
export function isAudible(pcm: Buffer): boolean {
  return firstAudibleSample(pcm) !== undefined
}

/** @param pcm 16-bit mono. @returns how many silent samples come first; `undefined` if all are silent. */
export function firstAudibleSample(pcm: Buffer): number | undefined {
  for (let at = 0; at + 1 < pcm.length; at += 2) {
    if (Math.abs(pcm.readInt16LE(at)) >= audibleSample) return at / 2
  }
  return undefined
}

/**
 * @param pcm 16-bit mono at {@link recordingRateHertz}.
 * @param startedAt when its first sample was played.
 */
export function createRecordedSound(pcm: Buffer, startedAt: number): RecordedSound {
  const samples = new Int16Array(pcm.length >> 1)
  for (let index = 0; index < samples.length; index++) samples[index] = pcm.readInt16LE(2 * index)
  const msOf = (index: number) => (index / recordingRateHertz) * 1000
  const indexOf = (at: number) => Math.round(((at - startedAt) / 1000) * recordingRateHertz)

  const gaps: Gap[] = []
  let first = -1
  let last = -1
  for (const [index, sample] of samples.entries()) {
    if (Math.abs(sample) < audibleSample) continue
    if (first < 0) first = index
    else if (msOf(index - last) >= minGapMs) {
      gaps.push({ at: startedAt + msOf(last), ms: msOf(index - last) })
    }
    last = index
  }
  const isSilent = first < 0
  return {
    isSilent,
    onsetAt: isSilent ? Number.NaN : startedAt + msOf(first),
    endAt: isSilent ? Number.NaN : startedAt + msOf(last),
    durationMs: isSilent ? 0 : msOf(last - first + 1),
    gaps,
    loudnessDb: levelOf(samples.filter((sample) => sample !== 0)),
    tonesHertz: findTones(samples),
    loudnessBetween: (fromAt, toAt) => levelOf(samples.subarray(indexOf(fromAt), indexOf(toAt))),
    recognise(vocabulary, fromAt = startedAt) {
      const heard = samples.subarray(indexOf(fromAt))
      return recogniseWithVocabulary(vocabulary, wavAt16Kilohertz(heard))
    },
  }
}

const windowMs = 20
const minToneWindows = 3

function findTones(samples: Int16Array): number[] {
  const length = (windowMs / 1000) * recordingRateHertz
  const tones: number[] = []
  let previous: number | undefined
  let windows = 0
  for (let start = 0; start + length <= samples.length; start += length) {
    const hertz = frequencyOf(samples.subarray(start, start + length))
    windows = hertz === previous ? windows + 1 : 1
    previous = hertz
    if (hertz !== undefined && windows === minToneWindows) tones.push(hertz)
  }
  // A gap divides a tone in two.
  return tones.filter((hertz, index) => hertz !== tones[index - 1])
}

/** Counts the waves between the first and the last upward zero crossing. `undefined` in silence. */
function frequencyOf(samples: Int16Array): number | undefined {
  const crossings: number[] = []
  for (let index = 1; index < samples.length; index++) {
    const [before, after] = [samples[index - 1]!, samples[index]!]
    if (before < 0 && after >= 0) crossings.push(index - after / (after - before))
  }
  const isAudible = samples.some((sample) => Math.abs(sample) >= audibleSample)
  if (!isAudible || crossings.length < 2) return undefined
  const seconds = (crossings.at(-1)! - crossings[0]!) / recordingRateHertz
  return Math.round((crossings.length - 1) / seconds / 100) * 100
}

/** Root mean square in dB of full scale. */
function levelOf(samples: Int16Array): number {
  const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length
  return 10 * Math.log10(power)
}

function wavAt16Kilohertz(samples: Int16Array): Buffer {
  const step = recordingRateHertz / 16_000
  const data = Buffer.alloc(2 * Math.floor(samples.length / step))
  for (let index = 0; 2 * index < data.length; index++) {
    // The mean of neighbours suppresses most of what is above the new Nyquist frequency.
    const near = samples.subarray(index * step, (index + 1) * step)
    data.writeInt16LE(Math.round(near.reduce((sum, sample) => sum + sample, 0) / step), 2 * index)
  }
  return Buffer.concat([writeWavHeader({ sampleRateHertz: 16_000, dataBytes: data.length }), data])
}
