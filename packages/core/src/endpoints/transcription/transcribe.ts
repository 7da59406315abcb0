import { isUint8Array } from 'node:util/types'
import { z } from 'zod'
import { recordingProblem } from '../../audio/recording.ts'
import { InputError } from '../../errors.ts'
import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { strictObject } from '../../wire/object-schema.ts'
import {
  type TranscribeConfig,
  type TranscriptionModel,
  transcriptionModelListSchema,
  transcriptionResponseSchema,
} from '../../wire/transcription.ts'
import type { EndpointContext } from '../response-source.ts'
import { collectAudio } from './collect-audio.ts'
import {
  readTranscript,
  readTranscriptionUsage,
  type Transcript,
  type TranscriptionSettings,
  type TranscriptionUsage,
  transcriptionSettings,
} from './transcript.ts'

const what = 'Transcription request'

/** A slow machine takes as long as the recording, which may last an hour. The response comes as a whole. */
const firstByteTimeoutMs = 3_600_000

/** A file, or its bytes as they arrive. */
type RecordingInput = Uint8Array | AsyncIterable<Uint8Array>

const isRecording = (audio: unknown) =>
  isUint8Array(audio) ||
  typeof (audio as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === 'function'

// Declared, because the inferred type names Uint8Array<ArrayBufferLike>, which TypeScript before 5.7 does not know.
const recordingSchema: z.ZodType<RecordingInput, RecordingInput> = z.custom<RecordingInput>(
  isRecording,
  'must be the bytes of a file, or an async iterable of bytes',
)

/** A recording to transcribe. */
export interface TranscriptionRequest extends TranscriptionSettings {
  /**
   * The bytes of a WAV, MP3, Ogg Opus, WebM or FLAC file (such as a `Buffer`), or an async iterable of its bytes (such as a
   * Node stream), of up to 25 MiB and one hour.
   */
  audio: RecordingInput
}

const transcriptionRequestSchema = strictObject({
  audio: recordingSchema,
  ...transcriptionSettings,
}) satisfies z.ZodType<unknown, TranscriptionRequest>

/** The text of a recording. A member is absent if the service sends no value. */
export interface Transcription extends Transcript {
  /** The length of the recording. */
  durationSeconds?: number
  /** The model that the service used. */
  modelId?: string
  usage?: TranscriptionUsage
  requestId: string
}

/** The recognition models of the service, the preferred ones first. */
export interface TranscriptionModelList {
  /** Empty if no recogniser is installed. */
  models: TranscriptionModel[]
  requestId: string
}

/**
 * `POST /stt/v1/transcribe`: transcribes a recording.
 * @throws {InputError} before the upload, if the audio is empty, larger than 25 MiB, or in an unsupported format.
 */
export async function transcribe(
  { transport }: EndpointContext,
  request: TranscriptionRequest,
  call: Call,
): Promise<Transcription> {
  const { audio, wordTimestamps, ...settings } = parseInput(
    transcriptionRequestSchema,
    request,
    what,
    true,
  )
  const recording = isUint8Array(audio) ? audio : await collectAudio(audio, call)
  const problem = recordingProblem(recording)
  if (problem) throw new InputError(`${what} not valid: audio ${problem}`)
  const config = {
    ...settings,
    audioEncoding: 'AUTO_DETECT',
    includeWordTimestamps: wordTimestamps,
  } as const
  const { data, requestId } = await transport.sendForJson(
    transcriptionResponseSchema,
    {
      method: 'POST',
      path: '/stt/v1/transcribe',
      body: { bytes: encodeBody(config, recording), contentType: 'application/json' },
      firstByteTimeoutMs,
    },
    call,
  )
  const { transcription, usage: sentUsage } = data
  const usage = readTranscriptionUsage(sentUsage)
  const modelId = sentUsage?.modelId
  return {
    ...readTranscript(transcription),
    ...(usage && { durationSeconds: usage.transcribedAudioMs / 1000 }),
    ...(modelId && { modelId }),
    ...(usage && { usage }),
    requestId,
  }
}

/** `GET /stt/v1/models`: lists the recognition models. An extension of the local service. */
export async function listTranscriptionModels(
  { transport }: EndpointContext,
  _: undefined,
  call: Call,
): Promise<TranscriptionModelList> {
  const request = { method: 'GET', path: '/stt/v1/models' } as const
  const { data, requestId } = await transport.sendForJson(
    transcriptionModelListSchema,
    request,
    call,
  )
  return { models: data.models ?? [], requestId }
}

/** Bytes that are encoded at a time; a multiple of 3, so that the pieces of base64 fit together. */
const stepBytes = 3 * 16 * 1024

/** Writes the JSON of the request. JSON.stringify would need three copies of the base64, this needs one. */
function encodeBody(
  transcribeConfig: TranscribeConfig,
  { buffer, byteOffset, byteLength }: Uint8Array,
): Buffer {
  const audio = Buffer.from(buffer, byteOffset, byteLength)
  const start = `{"transcribeConfig":${JSON.stringify(transcribeConfig)},"audioData":{"content":"`
  const end = '"}}'
  const base64Bytes = Math.ceil(audio.length / 3) * 4
  const body = Buffer.allocUnsafe(Buffer.byteLength(start) + base64Bytes + end.length)
  let at = body.write(start)
  for (let from = 0; from < audio.length; from += stepBytes) {
    at += body.write(audio.toString('base64', from, from + stepBytes), at, 'latin1')
  }
  body.write(end, at)
  return body
}
