import { isUint8Array } from 'node:util/types'
import { z } from 'zod'
import { checkVoiceSample, type SampleCheck } from '../../audio/voice-sample.ts'
import { InputError } from '../../errors.ts'
import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { strictObject } from '../../wire/object-schema.ts'
import {
  langCodeSchema,
  type Voice,
  type VoiceCloneBody,
  voiceCloneBodySchema,
  voiceCloneResponseSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../response-source.ts'

const what = 'Voice clone request'

/** Upload and cloning take long; the service's own client waits as long, according to its documentation. */
const firstByteTimeoutMs = 300_000

// Not `instanceof`: it fails for bytes of another realm, such as the sandbox of a function node.
const bytesSchema = z.custom<Uint8Array>(isUint8Array, 'must be the bytes of a file')

/** One recording: the bytes of its file, or an object with the bytes in `audio` and the words in `transcription`. */
export type VoiceSample = Uint8Array | TranscribedSample
interface TranscribedSample {
  audio: Uint8Array
  transcription?: string
}

// Declared, because the inferred type names Uint8Array<ArrayBufferLike>, which TypeScript before 5.7 does not know.
const sampleSchema: z.ZodType<TranscribedSample, VoiceSample> = z.union(
  [
    bytesSchema.transform((audio) => ({ audio })),
    strictObject({ audio: bytesSchema, transcription: z.string().optional() }),
  ],
  'must be the bytes of a file, or an object with the bytes in audio',
)

const { displayName, description, tags } = voiceCloneBodySchema.shape

const voiceCloneRequestSchema = strictObject({
  displayName,
  /** Such as `EN_US`; `AUTO` lets the service detect it. */
  langCode: langCodeSchema,
  /**
   * One or more recordings of one person: complete WAV, MP3 or WEBM files of up to 4 MiB, ideally 5 to 15 s long. Each
   * is the bytes of the file (such as a `Buffer`) or an object with the bytes in `audio` and the words in `transcription`.
   */
  samples: z.array(sampleSchema).min(1, 'must contain at least one recording'),
  /** Default false. */
  removeBackgroundNoise: z.boolean().optional(),
  /**
   * Only for the local service: whether it keeps up to 10 s of the recordings until the voice is deleted. A model that
   * speaks like a recording, such as Pocket TTS, then speaks with them. Without such a model, it keeps nothing and adds
   * a warning. Default false.
   */
  keepRecording: z.boolean().optional(),
  description,
  tags,
})

/** Recordings of the voice to clone, and its description. Clone only a voice that you have the right to use. */
export type VoiceCloneRequest = z.input<typeof voiceCloneRequestSchema>
type ParsedRequest = z.output<typeof voiceCloneRequestSchema>

/** A remark about a recording. */
export interface SampleRemark {
  /** The position of the sample, counted from 1. */
  sample: number
  /** The subject of the remark, such as `too-short` or `noisy`; absent if the service sends none. */
  code?: string
  /** A sentence for the user. */
  text: string
}

/** A cloned voice and the remarks about its recordings. */
export interface VoiceClone {
  /** The new voice. It can speak even if there are `errors`. */
  voice: Voice
  /** Facts that may make the voice worse, with one warning each: the service's or, without one, this client's. */
  warnings: SampleRemark[]
  /** Samples that the service could not use, although it created the voice. */
  errors: SampleRemark[]
  requestId: string
}

/**
 * `POST /voices/v1/voices:clone`: makes a voice from recordings.
 * @throws {InputError} before the upload, if a sample is empty, larger than 4 MiB or not a WAV, MP3 or WEBM file.
 */
export async function cloneVoice(
  { transport }: EndpointContext,
  request: VoiceCloneRequest,
  call: Call,
): Promise<VoiceClone> {
  const parsed = parseInput(voiceCloneRequestSchema, request, what, true)
  const checks = checkSamples(parsed.samples)
  const body = writeBody(parsed)
  const { data, requestId } = await transport.sendForJson(
    voiceCloneResponseSchema,
    {
      method: 'POST',
      path: '/voices/v1/voices:clone',
      body: { json: body },
      firstByteTimeoutMs,
      echoedBytes: sentBytes(body),
      // Trap: a request that the service received may have created the voice; a retry would create a second one.
      retry: 'unless-received',
    },
    call,
  )
  const reports = data.audioSamplesValidated ?? []
  const warnings = checks.flatMap((check, index) => {
    const sent = toRemarks(index, reports[index]?.warnings)
    const own = check.warnings.filter(({ code }) => !sent.some((remark) => isAbout(remark, code)))
    return [...own.map((warning) => ({ sample: index + 1, ...warning })), ...sent]
  })
  const errors = reports.flatMap((report, index) => toRemarks(index, report.errors))
  return { voice: data.voice, warnings, errors, requestId }
}

function checkSamples(samples: ParsedRequest['samples']): SampleCheck[] {
  const checks = samples.map(({ audio }) => checkVoiceSample(audio))
  const problems = checks.flatMap(({ problem }, index) =>
    problem ? [`sample ${index + 1} of ${checks.length} ${problem}`] : [],
  )
  if (problems.length === 0) return checks
  throw new InputError(`${what} not valid: ${problems.join('; ')}`)
}

function writeBody({
  samples,
  removeBackgroundNoise,
  keepRecording,
  ...rest
}: ParsedRequest): VoiceCloneBody {
  return {
    ...rest,
    // Other services do not know the field.
    ...(keepRecording && { keepRecording }),
    voiceSamples: samples.map(({ audio, transcription }) => ({
      audioData: Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64'),
      transcription,
    })),
    ...(removeBackgroundNoise !== undefined && {
      audioProcessingConfig: { removeBackgroundNoise },
    }),
  }
}

/** In base64 a character is a byte. */
function sentBytes({ voiceSamples }: VoiceCloneBody): number {
  return voiceSamples.reduce((sum, { audioData }) => sum + audioData.length, 0)
}

function toRemarks(index: number, list: SentRemark[] | null | undefined): SampleRemark[] {
  return (list ?? []).flatMap(({ code, text }) =>
    text ? { sample: index + 1, ...(code && { code }), text } : [],
  )
}

/** A remark without a code may be about anything, so it counts for every code. */
function isAbout(remark: SampleRemark, code: string): boolean {
  return remark.code === undefined || remark.code === code
}

interface SentRemark {
  code?: string | null
  text?: string | null
}
