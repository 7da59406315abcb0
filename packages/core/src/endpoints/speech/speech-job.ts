import { z } from 'zod'
import { InputError } from '../../errors.ts'
import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { pronounce } from '../../text/pronounced-text.ts'
import {
  operationSchema,
  speechBatchResultsSchema,
  speechBatchSchema,
} from '../../wire/operation.ts'
import type { EndpointContext } from '../response-source.ts'
import { callOf, createJob, type SynthesisJob, toDate } from './job.ts'
import { type SpeechInput, speechInputSchema } from './speech-input.ts'
import { checkUri, fileRequest, readFiles, type SpeechFiles } from './speech-job-files.ts'

/** The files of a long text. */
export interface FinishedSpeech extends SpeechFiles {
  /** When the service deletes them; `undefined` if it does not say. */
  expiresAt: Date | undefined
}

/** What became of one text of a batch. */
export interface BatchResult extends SpeechFiles {
  customId: string
  /** Why the text could not be spoken: the name of a gRPC code, and a sentence. Then it has no audio. */
  error: { code: string; message: string } | undefined
}

/** What became of a batch. */
export interface FinishedBatch {
  expiresAt: Date | undefined
  /** In the order of the batch. */
  results: BatchResult[]
}

/** The texts of a batch, each with the name of its result. */
export interface SpeechBatchInput {
  items: { customId: string; request: SpeechInput }[]
}

const maxTextCharacters = 100_000
const batchInputSchema = speechBatchSchema.extend({
  items: z.array(speechBatchSchema.shape.items.element.extend({ request: speechInputSchema })),
})
/** `POST /tts/v1/voice:synthesizeAsync`. Only repeated if the service cannot have received it: each request costs. */
export async function synthesizeLong(
  context: EndpointContext,
  request: SpeechInput,
  call: Call,
): Promise<SynthesisJob<FinishedSpeech>> {
  const parsed = parseInput(speechInputSchema, request, 'Speech request')
  const body = withPronunciations(context, parsed)
  const { length } = body.text
  if (length > maxTextCharacters) {
    const message = `text: ${length} characters are more than the ${maxTextCharacters} of a long text; submit it in parts`
    throw new InputError(`Speech request not valid: ${message}`)
  }
  return speechJob(context, await submit(context, 'voice:synthesizeAsync', body, call))
}

/** `POST /tts/v1/voice:synthesizeBatch`. */
export async function synthesizeBatch(
  context: EndpointContext,
  batch: SpeechBatchInput,
  call: Call,
): Promise<SynthesisJob<FinishedBatch>> {
  const { items } = parseInput(batchInputSchema, batch, 'Speech batch')
  const body = {
    items: items.map((item) => ({ ...item, request: withPronunciations(context, item.request) })),
  }
  return speechBatchJob(context, await submit(context, 'voice:synthesizeBatch', body, call))
}

/** The times of a job are those of the words as they are said. */
function withPronunciations<Request extends { text: string }>(
  { pronunciations }: EndpointContext,
  request: Request,
): Request {
  return { ...request, text: pronounce(pronunciations, request.text) }
}

async function submit(
  { transport }: EndpointContext,
  verb: string,
  json: object,
  call: Call,
): Promise<string> {
  const path = `/tts/v1/${verb}`
  const request = { method: 'POST', path, body: { json }, retry: 'unless-received' } as const
  const { data } = await transport.sendForJson(operationSchema, request, call)
  return data.name
}

/** A job of an earlier call, also of another process. @throws {InputError} if the name is not one of an operation. */
export function speechJob(context: EndpointContext, name: string): SynthesisJob<FinishedSpeech> {
  return createJob(context, name, async ({ response, requestId }) => ({
    expiresAt: toDate(response?.expireTime),
    ...readFiles(context, response ?? {}, { requestId, callOf: callOf(context) }),
  }))
}

/** A batch of an earlier call. */
export function speechBatchJob(
  context: EndpointContext,
  name: string,
): SynthesisJob<FinishedBatch> {
  return createJob(context, name, async ({ response, requestId }, call) => {
    const uri = checkUri(context, response?.resultsUri, { what: call.what, requestId })
    const { data } = await context.transport.sendForJson(
      speechBatchResultsSchema,
      fileRequest(uri),
      call,
    )
    return {
      expiresAt: toDate(response?.expireTime),
      results: data.results.map(({ customId, error, ...files }) => ({
        customId,
        error: error ? { code: error.code ?? 'UNKNOWN', message: error.message ?? '' } : undefined,
        ...readFiles(context, files, { requestId, callOf: callOf(context) }),
      })),
    }
  })
}
