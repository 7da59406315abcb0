import { deflateSync } from 'node:zlib'
import { recordingLimits } from '@parlando/core/audio'
import type { Context } from 'hono'
import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { toServiceError } from '../../errors/to-service-error.ts'
import {
  type RecordingRequest,
  type TranscriptionProgress,
  transcribeRecording,
} from '../../listening/transcribe-recording.ts'
import {
  joinSegments,
  type RecordingTranscript,
  type Segment,
  toSrt,
  toVtt,
} from '../../listening/transcript.ts'
import { findRecogniserModel } from '../../recognisers/recogniser-registry.ts'
import { parseRequest } from '../../requests/parse-request.ts'
import { type FormPart, readForm } from '../../requests/read-form.ts'
import { reportTranscription } from '../../server/observability/observe.ts'
import { streamResponse } from '../../server/responses/stream-response.ts'
import { type ApiContext, type Endpoint, named } from '../app/endpoint.ts'

const responseFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const

/** The fields of the form, as programs for the OpenAI API send them. The file has its own check. */
const transcriptionFormSchema = z.strictObject({
  model: z.string().min(1, 'must not be empty'),
  /** A code such as `en`. Default: that of the model, or detected. */
  language: z.string().min(1, 'must not be empty').optional(),
  /** Words and names that may occur. */
  prompt: z.string().optional(),
  /** Default `json`. */
  response_format: z.enum(responseFormats).optional(),
  /** Which times `verbose_json` has. Default `segment`. */
  timestamp_granularities: z.array(z.enum(['word', 'segment'])).optional(),
  /** Whether to send the text of each turn as an event. Default false. */
  stream: z.enum(['true', 'false']).optional(),
  /** Has no effect. */
  temperature: z.string().optional(),
})

const usage = z.object({ type: z.literal('duration'), seconds: z.number() })
const transcription = z.object({ text: z.string(), usage: usage.optional() })
const segment = z.object({
  id: z.int(),
  seek: z.int(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  tokens: z.array(z.int()),
  temperature: z.number(),
  avg_logprob: z.number(),
  compression_ratio: z.number(),
  no_speech_prob: z.number(),
})
const word = z.object({ word: z.string(), start: z.number(), end: z.number() })
const verboseTranscription = transcription.extend({
  task: z.literal('transcribe'),
  language: z.string(),
  duration: z.number(),
  segments: z.array(segment).optional(),
  words: z.array(word).optional(),
})

/** The unit of `seek` is a frame of 10 ms. */
const framesPerSecond = 100

const granularities = 'timestamp_granularities'

export const audioTranscription: Endpoint = {
  operation: {
    method: 'post',
    path: '/v1/audio/transcriptions',
    summary: 'Transcribes a recording; request and response have the format of the OpenAI API',
    key: 'basic or bearer',
    form: named(
      'TranscriptionForm',
      transcriptionFormSchema.extend({ file: z.string().meta({ format: 'binary' }) }),
    ),
    responses: {
      'application/json': named(
        'AudioTranscription',
        z.union([transcription, verboseTranscription]),
      ),
      'text/plain': 'text',
      'text/vtt': 'text',
      'text/event-stream': 'text',
    },
  },
  // The largest file, and the other fields.
  maxBodyBytes: recordingLimits.maxBytes + 1024 * 1024,
  createHandler: (service) => async (context) => {
    const { request, fields } = await readRequest(context, service)
    const progress = { modelId: request.model.modelId, seconds: 0 }
    reportTranscription(context, progress)
    if (fields.stream === 'true') {
      return streamResponse(context, {
        contentType: 'text/event-stream; charset=utf-8',
        createChunks: (signal) => toEvents({ ...request, signal }, progress),
        createErrorChunk(error) {
          service.onFailure(error)
          return toEvent({ type: 'error', ...toServiceError(error).openAiBody })
        },
      })
    }
    const transcript = await joinSegments(transcribeRecording(request, progress))
    return toResponse(context, transcript, { request, fields, progress })
  },
}

type Fields = ReturnType<typeof transcriptionFormSchema.parse>

async function readRequest(
  context: Context,
  service: ApiContext,
): Promise<{ request: RecordingRequest; fields: Fields }> {
  const body = Buffer.from(await context.req.arrayBuffer())
  const parts = readForm(context.req.header('content-type'), body)
  const fields = parseRequest(context, transcriptionFormSchema, toFields(parts))
  const file = parts.find(({ name }) => name === 'file')
  if (!file) throw new ServiceError('INVALID_ARGUMENT', 'file: is missing; send the recording')
  const { model: modelId, language, prompt } = fields
  const request = {
    ...findRecogniserModel(service, { modelId, language }),
    audio: file.content,
    field: 'file',
    language,
    prompts: prompt ? [prompt] : undefined,
    withWords: fields[granularities]?.includes('word') ?? false,
    speechDetector: service.speechDetector,
    signal: context.req.raw.signal,
  }
  return { request, fields }
}

/** Clients write the name of a list with brackets, and once for each item. */
function toFields(parts: readonly FormPart[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  const listed: string[] = []
  for (const { name, content } of parts) {
    if (name === 'file') continue
    const text = content.toString('utf8')
    if (name.replace('[]', '') === granularities) listed.push(text)
    else fields[name] = text
  }
  return listed.length > 0 ? { ...fields, [granularities]: listed } : fields
}

function toResponse(
  context: Context,
  transcript: RecordingTranscript,
  {
    request,
    fields,
    progress,
  }: { request: RecordingRequest; fields: Fields; progress: TranscriptionProgress },
): Response {
  const { text, segments } = transcript
  const usage = { type: 'duration', seconds: Math.ceil(progress.seconds) }
  switch (fields.response_format) {
    case 'text':
      return context.text(`${text}\n`)
    case 'srt':
      return context.text(toSrt(segments))
    case 'vtt':
      return context.body(toVtt(segments), 200, { 'content-type': 'text/vtt; charset=utf-8' })
    case 'verbose_json': {
      const wanted = fields[granularities] ?? ['segment']
      const [langCode = ''] = request.model.langCodes
      return context.json({
        task: 'transcribe',
        language:
          transcript.language ?? request.language ?? langCode.replace('_', '-').toLowerCase(),
        duration: progress.seconds,
        text,
        ...(wanted.includes('segment') && { segments: segments.map(toSegment) }),
        ...(wanted.includes('word') && { words: (transcript.words ?? []).map(toWord) }),
        usage,
      })
    }
    default:
      return context.json({ text, usage })
  }
}

/** A segment with every field of the public format, because some clients require them. */
function toSegment(segment: Segment, id: number) {
  const { text, startSeconds, endSeconds, confidence } = segment
  const bytes = Buffer.from(text)
  return {
    id,
    seek: Math.round(startSeconds * framesPerSecond),
    start: startSeconds,
    end: endSeconds,
    text,
    // The recognisers have no tokens, and none of them chooses words at random.
    tokens: [],
    temperature: 0,
    avg_logprob: Math.log(Math.max(confidence ?? 1, Number.MIN_VALUE)),
    compression_ratio: bytes.length / deflateSync(bytes).length,
    // Voice activity detection has found speech.
    no_speech_prob: 0,
  }
}

function toWord({
  text,
  startSeconds,
  endSeconds,
}: NonNullable<RecordingTranscript['words']>[number]) {
  return { word: text, start: startSeconds, end: endSeconds }
}

/** An event for each turn, then one with the whole text. */
async function* toEvents(
  request: RecordingRequest,
  progress: TranscriptionProgress,
): AsyncGenerator<Uint8Array, void> {
  const texts: string[] = []
  for await (const { text } of transcribeRecording(request, progress)) {
    if (!text) continue
    yield toEvent({ type: 'transcript.text.delta', delta: texts.length > 0 ? ` ${text}` : text })
    texts.push(text)
  }
  const usage = { type: 'duration', seconds: Math.ceil(progress.seconds) }
  yield toEvent({ type: 'transcript.text.done', text: texts.join(' '), usage })
}

function toEvent(content: object): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(content)}\n\n`)
}
