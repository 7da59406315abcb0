import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { BusyError, ServiceError } from '../../errors/service-error.ts'
import { programPath } from '../../processes/program.ts'
import type { BaseVoice } from '../base-voices.ts'
import type { VoiceProfile } from '../profile.ts'
import { type DecodedSample, decodeSample } from './decode-sample.ts'
import type {
  MeasuredSamples,
  MeasureRequest,
  SampleRecording,
  SampleReport,
} from './measure-samples.ts'
import { nearestVoice } from './nearest-voice.ts'

export interface CloneOptions {
  /** WAV, MP3 or WEBM files of one person speaking, at most 4 MB each. */
  samples: readonly Uint8Array[]
  /** Whether to suppress noise between the words. */
  removeBackgroundNoise: boolean
  /** Whether to return a recording that a model can imitate. Default: no. */
  keepRecording?: boolean
  /** The voices with which the clone may begin; at least one. */
  bases: readonly BaseVoice[]
  signal: AbortSignal
}

export interface MeasuredClone {
  profile: VoiceProfile
  /** The engine and its voice that are nearest to the profile. The imprint is applied to this voice. */
  engine: string
  engineVoice: string
  /** A report for each recording, in the same order. */
  samples: readonly SampleReport[]
  /** Present if requested. */
  recording?: SampleRecording
}

/**
 * Measures a voice from recordings. Each recording takes about a tenth of a second.
 * @throws {ServiceError} if they do not yield a voice; the message names recordings by their position.
 */
export async function cloneVoice(options: CloneOptions): Promise<MeasuredClone> {
  const { samples, bases, signal, ...request } = options
  const decoded: (DecodedSample | string)[] = []
  for (const sample of samples) decoded.push(await decode(sample, signal))
  const measured = await measureInThread({ ...request, samples: decoded }, signal)
  const { profile, problem, reports, recording } = measured
  if (!profile) throw new ServiceError('INVALID_ARGUMENT', `voiceSamples: ${problem}`)
  const { engine, engineVoice } = nearestVoice(profile, bases)
  return { profile, engine, engineVoice, samples: reports, recording }
}

/** @returns the reason if the recording cannot be decoded. */
async function decode(sample: Uint8Array, signal: AbortSignal): Promise<DecodedSample | string> {
  try {
    return await decodeSample(sample, signal)
  } catch (error) {
    signal.throwIfAborted()
    return (error as Error).message
  }
}

const workerPath = programPath('clone-worker')

// Ten recordings take 3 s.
const maxMeasuringMs = 30_000
const retryAfterSeconds = 5

/**
 * Measures decoded recordings in a separate thread, because that takes up to seconds of CPU.
 * @throws {BusyError} if it takes longer than 30 s. The signal's reason after an abort.
 */
async function measureInThread(
  request: MeasureRequest,
  signal: AbortSignal,
): Promise<MeasuredSamples> {
  const worker = new Worker(workerPath, { workerData: request, execArgv: [] })
  // `once` below reports an error while it waits. Without this listener, a later error would end the process.
  worker.on('error', () => {})
  const timeLimit = AbortSignal.timeout(maxMeasuringMs)
  try {
    const [measured] = await once(worker, 'message', {
      signal: AbortSignal.any([signal, timeLimit]),
    })
    return measured as MeasuredSamples
  } catch (error) {
    signal.throwIfAborted()
    if (!timeLimit.aborted) throw error
    const message = `voiceSamples: measuring the samples takes longer than ${maxMeasuringMs / 1000} s, because this device is overloaded; try again in ${retryAfterSeconds} s`
    throw new BusyError(message, retryAfterSeconds, 'UNAVAILABLE')
  } finally {
    await worker.terminate()
  }
}
