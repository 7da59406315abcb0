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

/** What there is to say about one of the recordings. */
export interface SampleRemark {
  /** Which of the samples, counted from 1. */
  sample: number
  text: string
}

/** A cloned voice and what was remarked on its recordings. */
export interface VoiceClone {
  /** The new voice; it can be spoken with even when there are `errors`. */
  voice: Voice
  /** What may make the voice worse: found here before the upload, or by the service. */
  warnings: SampleRemark[]
  /** What the service could not use although it made the voice. */
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
  const ofService = audioSamplesValidated ?? []
  const warnings = [
    ...remarks(checks.map((check) => check.warnings.map((warning) => `The sample ${warning}`))),
    ...remarks(ofService.map((sample) => texts(sample.warnings))),
  ]
  const errors = remarks(ofService.map((sample) => texts(sample.errors)))
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

function texts(list: { text?: string | null }[] | null | undefined): string[] {
  return (list ?? []).flatMap(({ text }) => text || [])
}

/** @param textsOfSamples for each sample in its order. */
function remarks(textsOfSamples: string[][]): SampleRemark[] {
  return textsOfSamples.flatMap((list, index) => list.map((text) => ({ sample: index + 1, text })))
}
