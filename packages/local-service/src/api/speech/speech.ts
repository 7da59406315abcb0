import { problemSchema, speechRequestSchema, speechResultSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { z } from 'zod'
import { withChunkHeader, withFileHeader } from '../../audio/encoding/file-headers.ts'
import type { SpokenWord } from '../../engines/engine.ts'
import { toServiceError } from '../../errors/to-service-error.ts'
import { readValidBody } from '../../requests/parse-request.ts'
import { reportIgnored } from '../../server/observability/observe.ts'
import { streamResponse } from '../../server/responses/stream-response.ts'
import { collectSpeech, toSpeechResult } from '../../speaking/speech-result.ts'
import { createSynthesisRequest, type SynthesisRequest } from '../../speaking/synthesis-request.ts'
import type { AudioChunk } from '../../speaking/synthesize.ts'
import { type ApiContext, type Endpoint, named } from '../app/endpoint.ts'
import { synthesizeMeasured } from '../app/measured-speech.ts'

const body = named('SpeechRequest', speechRequestSchema)

// Short, with the cheapest voice and encoding, because the fuzz tests send it often.
const bodyExample = {
  text: 'Hi.',
  voiceId: 'Kit',
  modelId: 'svc-tts-2-flash',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
  language: 'en-US',
}

const line = z.union([z.object({ result: speechResultSchema }), z.object({ error: problemSchema })])

const maxBodyBytes = 1024 * 1024
const maxTextCharacters = 4_000
const maxStreamTextCharacters = 100_000

export const speech: Endpoint = {
  operation: {
    method: 'post',
    path: '/tts/v1/voice',
    summary: 'Speaks a text and returns the whole audio',
    key: 'basic',
    body,
    bodyExample,
    responses: { 'application/json': named('SpeechResult', speechResultSchema) },
  },
  maxBodyBytes,
  createHandler: (service) => async (context) => {
    const request = await readRequest(context, service, maxTextCharacters)
    const chunks = synthesizeMeasured(context, request, context.req.raw.signal, service.sharedSound)
    const { audio, words } = await collectSpeech(chunks)
    return context.json(toResult(request, withFileHeader(request.layout, audio), words))
  },
}

export const speechStream: Endpoint = {
  operation: {
    method: 'post',
    path: '/tts/v1/voice:stream',
    summary:
      'Speaks a text and streams the audio: a line of JSON for each chunk, with `result` or, in the last line only, `error`',
    key: 'basic',
    body,
    bodyExample: { ...bodyExample, timestampType: 'WORD' },
    responses: { 'application/json': named('SpeechLine', line) },
  },
  maxBodyBytes,
  createHandler: (service) => async (context) => {
    const request = await readRequest(context, service, maxStreamTextCharacters)
    return streamResponse(context, {
      contentType: 'application/json',
      createChunks: (signal) =>
        toLines(request, synthesizeMeasured(context, request, signal, service.sharedSound)),
      createErrorChunk(error) {
        service.onFailure(error)
        return toLine({ error: toServiceError(error).body })
      },
    })
  },
}

async function readRequest(
  context: Context,
  service: ApiContext,
  maxTextCharacters: number,
): Promise<SynthesisRequest> {
  const request = await readValidBody(context, speechRequestSchema)
  const synthesis = createSynthesisRequest(request, service, { maxTextCharacters })
  if (synthesis.voice.voice.voiceId !== request.voiceId) reportIgnored(context, [['voiceId']])
  return synthesis
}

/** Sends times with the audio that contains the words or, for `wordsLast`, in lines without audio after all audio. */
async function* toLines(
  request: SynthesisRequest,
  chunks: AsyncIterable<AudioChunk>,
): AsyncGenerator<Uint8Array, void> {
  let index = 0
  const wordsOfChunks: (readonly SpokenWord[])[] = []
  for await (const { audio, words } of chunks) {
    const withHeader = withChunkHeader(request.layout, audio, index++)
    if (request.wordsLast && words.length > 0) wordsOfChunks.push(words)
    yield toLine({ result: toResult(request, withHeader, request.wordsLast ? [] : words) })
  }
  for (const words of wordsOfChunks) {
    yield toLine({ result: toResult(request, new Uint8Array(), words) })
  }
}

/** Every line of a stream counts the characters of the whole text, so a client must not add them up. */
function toResult(request: SynthesisRequest, audio: Uint8Array, words: readonly SpokenWord[]) {
  return toSpeechResult(request, { audio, words, characters: request.text.length })
}

function toLine(content: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(content)}\n`)
}
