import {
  clippingWarnings,
  durationWarnings,
  noiseWarning,
  type SampleWarning,
  trimmedWarning,
} from '@parlando/core/audio'
import { speechLevel } from '../../audio/loudness.ts'
import { createResampler } from '../../audio/resampler.ts'
import { joinSamples } from '../../audio/signal.ts'
import { measureVoice, measuringRateHertz } from '../imprint/measure-voice.ts'
import type { VoiceProfile } from '../profile.ts'
import { type CutRecording, cutRecording, recordingRateHertz } from './cut-recording.ts'
import type { DecodedSample } from './decode-sample.ts'
import { findSpeech } from './find-speech.ts'
import { denoisingRateHertz, removeNoise } from './remove-noise.ts'

export interface MeasureRequest {
  /** For a recording that cannot be decoded, the reason, which continues the sentence "The sample …". */
  samples: readonly (DecodedSample | string)[]
  removeBackgroundNoise: boolean
  /** Whether to cut a recording that a model can imitate. Default: no. */
  keepRecording?: boolean
}

export interface SampleReport {
  /** How much of the recording was used. */
  seconds: number
  warnings: readonly SampleWarning[]
  /** Why the recording was not used; each continues the sentence "The sample …". */
  errors: readonly string[]
}

export interface MeasuredSamples {
  /** The profile of the voice in all samples together. Absent if they do not yield a voice. */
  profile?: VoiceProfile
  /** Why there is no profile. */
  problem?: string
  reports: SampleReport[]
  /** The recording of the sample with the most speech, if requested. */
  recording?: SampleRecording
}

export interface SampleRecording extends CutRecording {
  /** The index of the sample. */
  sample: number
}

/** Less speech does not contain all sounds of a language. */
const minSpeechSeconds = 3
const minInSampleSeconds = 0.5
const minAboveNoiseDecibels = 15

/** Measures the voice in all recordings together. The report of an unusable one contains the reason. */
export async function measureSamples(request: MeasureRequest): Promise<MeasuredSamples> {
  const reports: SampleReport[] = []
  const parts: Float32Array[] = []
  let longest: { sample: number; sound: DecodedSample; length: number } | undefined
  for (const [sample, decoded] of request.samples.entries()) {
    const { report, speech, sound } = await readSample(decoded, request.removeBackgroundNoise)
    reports.push(report)
    if (!speech || !sound) continue
    parts.push(speech)
    const { length } = speech
    if (length > (longest?.length ?? 0)) longest = { sample, sound, length }
  }
  const speech = joinSamples(parts)
  const speechSeconds = speech.length / measuringRateHertz
  const profile = speechSeconds < minSpeechSeconds ? undefined : measureVoice(speech)
  if (!profile) return { problem: problemOf(speechSeconds, reports), reports }
  if (!request.keepRecording || !longest) return { profile, reports }
  const { sample, sound } = longest
  const recording = cutRecording(await resample(sound, recordingRateHertz))
  // The transcript of a recording that is longer than 15 s is not that of its beginning.
  const isWhole = recording.isWhole && !sound.isTrimmed
  return { profile, reports, recording: { ...recording, isWhole, sample } }
}

function problemOf(speechSeconds: number, reports: readonly SampleReport[]): string {
  const problems = reports.flatMap(({ errors }, index) => {
    return errors.map((problem) => `sample ${index + 1} of ${reports.length} ${problem}`)
  })
  if (speechSeconds >= minSpeechSeconds) problems.push('the samples contain no voice with a pitch')
  else if (speechSeconds > 0) {
    problems.push(tooLittleSpeech(speechSeconds))
  }
  return problems.join('; ')
}

/** @param seconds less than the minimum, so it is rounded down: the sentence must not say that 3.0 s are too little. */
export function tooLittleSpeech(seconds: number): string {
  const shown = (Math.floor(seconds * 10) / 10).toFixed(1)
  return `all samples together contain only ${shown} s of speech; at least ${minSpeechSeconds} s are needed, 5 to 15 s are better`
}

async function readSample(
  decoded: DecodedSample | string,
  removeBackgroundNoise: boolean,
): Promise<{ report: SampleReport; speech?: Float32Array; sound?: DecodedSample }> {
  if (typeof decoded === 'string') return { report: rejected(decoded) }
  try {
    const sound = removeBackgroundNoise ? await denoise(decoded) : decoded
    const { speech, rest } = await findSpeech(await resample(sound))
    const seconds = decoded.samples.length / decoded.sampleRateHertz
    if (speech.length < minInSampleSeconds * measuringRateHertz) {
      return { report: { ...rejected('contains no speech'), seconds } }
    }
    const warnings = [...recordingWarnings(decoded, seconds), ...noiseWarnings(speech, rest)]
    return { report: { seconds, warnings, errors: [] }, speech, sound }
  } catch (error) {
    return { report: rejected((error as Error).message) }
  }
}

function rejected(problem: string): SampleReport {
  return { seconds: 0, warnings: [], errors: [problem] }
}

async function denoise(decoded: DecodedSample): Promise<DecodedSample> {
  const samples = await removeNoise(await resample(decoded, denoisingRateHertz))
  return { ...decoded, samples, sampleRateHertz: denoisingRateHertz }
}

async function resample(
  { samples, sampleRateHertz }: DecodedSample,
  outputRateHertz = measuringRateHertz,
): Promise<Float32Array> {
  const resampler = await createResampler({ inputRateHertz: sampleRateHertz, outputRateHertz })
  try {
    return joinSamples([resampler.push(samples).slice(), resampler.end()])
  } finally {
    resampler.close()
  }
}

function recordingWarnings(
  { samples, isTrimmed }: DecodedSample,
  seconds: number,
): SampleWarning[] {
  const clipped = samples.filter((sample) => Math.abs(sample) > 0.999).length / samples.length
  return [
    ...(isTrimmed ? [trimmedWarning()] : durationWarnings(seconds)),
    ...clippingWarnings(clipped),
  ]
}

function noiseWarnings(speech: Float32Array, rest: Float32Array): SampleWarning[] {
  if (rest.length < measuringRateHertz / 2) return []
  const above = 20 * Math.log10(level(speech) / Math.max(1e-6, level(rest)))
  return above > minAboveNoiseDecibels ? [] : [noiseWarning]
}

function level(samples: Float32Array): number {
  return speechLevel(samples, measuringRateHertz)
}
