import { encodings } from '@parlando/core/audio'
import type { AudioEncoding, SpeechFormat, SpeechRequest } from '@parlando/core/wire'
import { openAiSpeechRequestSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { z } from 'zod'
import { withChunkHeader } from '../../audio/encoding/file-headers.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { toServiceError } from '../../errors/to-service-error.ts'
import { isOpenAiVoice } from '../../requests/model-names.ts'
import { isStrict, parseRequest } from '../../requests/parse-request.ts'
import { readJsonBody } from '../../requests/read-json.ts'
import { reportIgnored } from '../../server/observability/observe.ts'
import { streamResponse } from '../../server/responses/stream-response.ts'
import { createSynthesisRequest, type SynthesisRequest } from '../../speaking/synthesis-request.ts'
import type { AudioChunk } from '../../speaking/synthesize.ts'
import { type ApiContext, type Endpoint, named } from '../app/endpoint.ts'
import { synthesizeMeasured } from '../app/measured-speech.ts'

/** A request as programs for the OpenAI API send it. */
const audioSpeechSchema = openAiSpeechRequestSchema.extend({
  /** The id of a voice; the OpenAI API also allows an object with the id. */
  voice: z.union([
    openAiSpeechRequestSchema.shape.voice,
    z.strictObject({ id: openAiSpeechRequestSchema.shape.voice }),
  ]),
  /** `sse` sends the audio as server-sent events. Default `audio`. */
  stream_format: z.enum(['audio', 'sse']).optional(),
})

/** The limit of the OpenAI API, at which its programs cut a long text. The hosted service has a lower one. */
const maxTextCharacters = 4_096
const maxStrictTextCharacters = 4_000
// The sample rate of the OpenAI API. Its clients expect this rate for PCM, which has no header.
const sampleRateHertz = 24_000

const encodingOf: Readonly<Partial<Record<SpeechFormat, AudioEncoding>>> = {
  mp3: 'MP3',
  opus: 'OGG_OPUS',
  flac: 'FLAC',
  wav: 'WAV',
  pcm: 'PCM',
}

export const audioSpeech: Endpoint = {
  operation: {
    method: 'post',
    path: '/v1/audio/speech',
    summary: 'Speaks a text; request and response have the format of the OpenAI API',
    key: 'basic or bearer',
    body: named('SpeechBytesRequest', audioSpeechSchema),
    bodyExample: { input: 'Hi.', voice: 'Kit', model: 'svc-tts-2-flash', response_format: 'pcm' },
    responses: {
      'audio/mpeg': 'bytes',
      'audio/wav': 'bytes',
      'audio/ogg': 'bytes',
      'audio/flac': 'bytes',
      'audio/pcm': 'bytes',
      'text/event-stream': 'text',
    },
  },
  maxBodyBytes: 1024 * 1024,
  createHandler: (service) => async (context) => {
    const { request, isEvents } = await readRequest(context, service)
    if (isEvents) {
      return streamResponse(context, {
        contentType: 'text/event-stream; charset=utf-8',
        createChunks: (signal) =>
          toEvents(request, synthesizeMeasured(context, request, signal, service.sharedSound)),
        createErrorChunk(error) {
          service.onFailure(error)
          return toEvent({ type: 'error', ...toServiceError(error).openAiBody })
        },
      })
    }
    return streamResponse(context, {
      contentType: encodings[request.layout.audioEncoding].mediaType,
      createChunks: (signal) =>
        toBytes(request, synthesizeMeasured(context, request, signal, service.sharedSound)),
      createErrorChunk(error) {
        service.onFailure(error)
        // Raw audio has no place for an error.
        return undefined
      },
    })
  },
}

async function readRequest(
  context: Context,
  service: ApiContext,
): Promise<{ request: SynthesisRequest; isEvents: boolean }> {
  const request = parseRequest(context, audioSpeechSchema, await readJsonBody(context))
  const { input, response_format: format = 'mp3', speed, instructions } = request
  const audioEncoding = encodingOf[format]
  if (!audioEncoding) {
    const supported = Object.keys(encodingOf).join(', ')
    const message = `response_format: this service does not support ${format}; it supports ${supported}`
    throw new ServiceError('UNIMPLEMENTED', message)
  }
  if (instructions?.trim()) {
    const message =
      'instructions: the voices of this device do not support style instructions; leave it out, or use speed'
    throw new ServiceError('UNIMPLEMENTED', message)
  }
  const voice = typeof request.voice === 'string' ? request.voice : request.voice.id
  const speech: SpeechRequest = {
    text: input,
    voiceId: isStrict(context) ? voice : findVoiceId(voice, service),
    modelId: request.model,
    audioConfig: { audioEncoding, sampleRateHertz, speakingRate: speed },
  }
  const limits = {
    maxTextCharacters: isStrict(context) ? maxStrictTextCharacters : maxTextCharacters,
    textField: 'input',
  }
  const synthesis = createSynthesisRequest(speech, service, limits)
  if (synthesis.voice.voice.voiceId !== voice) reportIgnored(context, [['voice']])
  return { request: synthesis, isEvents: request.stream_format === 'sse' }
}

/** The voices of OpenAI mean the default voice: some of its clients name one unless they are configured otherwise. */
function findVoiceId(name: string, { voiceList, defaultVoice }: ApiContext): string {
  if (!isOpenAiVoice(name) || voiceList.find(name)) return name
  return defaultVoice ?? voiceList.list()[0]?.voiceId ?? name
}

async function* toBytes(
  request: SynthesisRequest,
  chunks: AsyncIterable<AudioChunk>,
): AsyncGenerator<Uint8Array, void> {
  let index = 0
  for await (const { audio } of chunks) {
    yield withChunkHeader(request.layout, audio, index++)
  }
}

/** The events of the OpenAI API. The service counts characters instead of tokens. */
async function* toEvents(
  request: SynthesisRequest,
  chunks: AsyncIterable<AudioChunk>,
): AsyncGenerator<Uint8Array, void> {
  for await (const bytes of toBytes(request, chunks)) {
    const audio = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
    yield toEvent({ type: 'speech.audio.delta', audio })
  }
  const { length } = request.text
  const usage = { input_tokens: length, output_tokens: 0, total_tokens: length }
  yield toEvent({ type: 'speech.audio.done', usage })
}

function toEvent(content: object): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(content)}\n\n`)
}
