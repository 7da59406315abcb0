import { isUint8Array } from 'node:util/types'
import { z } from 'zod'
import { checkVoiceSample, type SampleCheck } from '../../audio/voice-sample.ts'
import { InputError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type Voice,
  type VoiceCloneBody,
  voiceCloneBodySchema,
  voiceCloneResponseSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'

const what = 'Voice clone'

/** Cloning takes long, and so does the upload; the documented client of the service waits as long. */
const firstByteTimeoutMs = 300_000

// Not `instanceof`: bytes made in another realm, as in a function node's sandbox, are bytes as well.
const bytesSchema = z.custom<Uint8Array>(isUint8Array, 'the bytes of a file are needed')

const sampleSchema = z.union(
  [
    bytesSchema.transform((audio): { audio: Uint8Array; transcription?: string } => ({ audio })),
    z.strictObject({ audio: bytesSchema, transcription: z.string().optional() }),
  ],
  'the bytes of a file, or an object with them in audio, are needed',
)

const { displayName, langCode, description, tags } = voiceCloneBodySchema.shape

const voiceCloneRequestSchema = z.strictObject({
  displayName,
  /** Such as `EN_US`, or `AUTO` to have it found out. */
  langCode,
  /**
   * One or more recordings of one person, each a whole WAV, MP3 or WEBM file of up to 4 MB, best 5-15 s long. Each is
   * its bytes alone (a `Buffer` is fine) or an object with them in `audio` and what is said in `transcription`.
   */
  samples: z.array(sampleSchema).min(1, 'there is no recording'),
  /** Default false. */
  removeBackgroundNoise: z.boolean().optional(),
  description,
  tags,
})

/** Whose voice to clone, from which recordings. Clone only a voice that you have the right to use. */
export type VoiceCloneRequest = z.input<typeof voiceCloneRequestSchema>
type ParsedRequest = z.output<typeof voiceCloneRequestSchema>

/** A remark about one of the recordings. */
export interface SampleRemark {
  /** The position of the sample, counted from 1. */
  sample: number
  /** What the remark is about, such as `too-short` or `noisy`; absent if the service sends none. */
  code?: string
  /** A sentence for the user. */
  text: string
}

/** A cloned voice and the remarks about its recordings. */
export interface VoiceClone {
  /** The new voice. It can speak even if there are `errors`. */
  voice: Voice
  /** What may make the voice worse. Each fact has one warning: the service's own, else the one of this client. */
  warnings: SampleRemark[]
  /** Samples that the service could not use, although it made the voice. */
  errors: SampleRemark[]
  requestId: string
}

/**
 * `POST /voices/v1/voices:clone`: makes a voice from recordings.
 * @throws {InputError} before the upload, for a sample that is empty, above 4 MB or no WAV, MP3 or WEBM file.
 */
export async function cloneVoice(
  { transport }: EndpointContext,
  request: VoiceCloneRequest,
  call: Call,
): Promise<VoiceClone> {
  const parsed = parseInput(voiceCloneRequestSchema, request, `${what} request`)
  const checks = checkSamples(parsed.samples)
  const body = writeBody(parsed)
  const response = await transport.sendForJson(
    {
      what,
      method: 'POST',
      path: '/voices/v1/voices:clone',
      body: { json: body },
      firstByteTimeoutMs,
      echoedBytes: sentBytes(body),
      // Trap: a clone that was received may have made its voice; another try would make a second one.
      retry: 'unless-received',
    },
    call,
  )
  const { voice, audioSamplesValidated } = parseResponse(voiceCloneResponseSchema, response, what)
  const reports = audioSamplesValidated ?? []
  const warnings = checks.flatMap((check, index) => {
    const sent = toRemarks(index, reports[index]?.warnings)
    const own = check.warnings.filter(({ code }) => !sent.some((remark) => isAbout(remark, code)))
    return [...own.map((warning) => ({ sample: index + 1, ...warning })), ...sent]
  })
  const errors = reports.flatMap((report, index) => toRemarks(index, report.errors))
  return { voice, warnings, errors, requestId: response.requestId }
}

function checkSamples(samples: ParsedRequest['samples']): SampleCheck[] {
  const checks = samples.map(({ audio }) => checkVoiceSample(audio))
  const problems = checks.flatMap(({ problem }, index) =>
    problem ? [`sample ${index + 1} of ${checks.length} ${problem}`] : [],
  )
  if (problems.length === 0) return checks
  throw new InputError(`${what} request not valid: ${problems.join('; ')}`)
}

function writeBody({ samples, removeBackgroundNoise, ...rest }: ParsedRequest): VoiceCloneBody {
  return {
    ...rest,
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
