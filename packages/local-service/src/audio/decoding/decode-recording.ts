import { RecordingError, type RecordingFormat, recordingLimits } from '@parlando/core/audio'
import { BusyError, ServiceError } from '../../errors/service-error.ts'
import { decodeSound } from './decode-sound.ts'

/** A whole recording. */
export interface RequestRecording {
  file: Uint8Array
  format: RecordingFormat
  /** The rate of the decoded samples. */
  sampleRateHertz: number
}

const retryAfterSeconds = 5

/**
 * Decodes a recording of a request.
 * @param name the field of the request with the recording, for messages.
 * @returns mono samples of the given rate.
 * @throws {ServiceError} if the recording cannot be decoded, is too long, or takes too much memory or time. The signal's
 * reason after an abort.
 */
export async function* decodeRecording(
  { file, ...request }: RequestRecording,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, void> {
  const { maxSeconds } = recordingLimits
  try {
    for await (const { samples } of decodeSound({ ...request, maxSeconds }, [file], signal)) {
      yield samples
    }
  } catch (error) {
    if (!RecordingError.isInstance(error)) throw error
    // A WAV takes little time, so other work has used it.
    if (request.format === 'WAV' && error.problem === 'too-slow') {
      const { seconds } = error.values
      const message = `${name}: decoding the audio takes longer than ${seconds} s, because this device is overloaded; try again in ${retryAfterSeconds} s`
      throw new BusyError(message, retryAfterSeconds, 'UNAVAILABLE')
    }
    throw new ServiceError('INVALID_ARGUMENT', `${name}: the audio ${error.message}`)
  }
}
