import type { Context, Hono } from 'hono'
import { withChunkHeader, withFileHeader } from '../../encoding/wav-headers.ts'
import type { SpokenWord } from '../../engines/engine.ts'
import { ServiceError, toServiceError } from '../../errors.ts'
import { limitBody, readJsonBody } from '../../http/read-json.ts'
import { streamResponse } from '../../http/stream-response.ts'
import {
  readSynthesisRequest,
  type ServiceContext,
  type SynthesisRequest,
} from '../../speech/synthesis-request.ts'
import type { AudioChunk } from '../../speech/synthesize.ts'
import { speak } from './speak.ts'

export interface SpeechRouteOptions extends ServiceContext {
  /** Hears of failures that are nobody's fault but ours. */
  onFailure(error: unknown): void
}

const maxBodyBytes = 1024 * 1024
const maxWholeTextCharacters = 4_000
// The whole answer is held in memory, base64 and all. The limit is the protocol's.
const maxWholeAudioBytes = 16 * 1024 * 1024
const maxStreamTextCharacters = 100_000

/** `POST /tts/v1/voice` and `POST /tts/v1/voice:stream`. */
export function addSpeechRoutes(app: Hono, options: SpeechRouteOptions): void {
  const limit = limitBody(maxBodyBytes)

  app.post('/tts/v1/voice', limit, async (context) => {
    const request = await readOrder(context, options, maxWholeTextCharacters)
    const leaving = context.req.raw.signal
    const spoken = speak(context, request, leaving)
    const { audio, words } = await collectSpeech(spoken)
    return context.json(toResult(request, withFileHeader(request.layout, audio), words))
  })

  app.post('/tts/v1/voice:stream', limit, async (context) => {
    const request = await readOrder(context, options, maxStreamTextCharacters)
    return streamResponse(context, {
      contentType: 'application/json',
      makePieces: (left) => toLines(request, speak(context, request, left)),
      lastWords(error) {
        options.onFailure(error)
        return toLine({ error: toServiceError(error).body })
      },
    })
  })
}

async function readOrder(
  context: Context,
  options: SpeechRouteOptions,
  maxTextCharacters: number,
): Promise<SynthesisRequest> {
  return readSynthesisRequest(await readJsonBody(context), options, maxTextCharacters)
}

/** @throws {ServiceError} as soon as the audio is larger than one answer may be. */
async function collectSpeech(chunks: AsyncIterable<AudioChunk>) {
  const audio: Uint8Array[] = []
  const words: SpokenWord[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    audio.push(chunk.audio)
    words.push(...chunk.words)
    bytes += chunk.audio.length
    if (bytes > maxWholeAudioBytes) {
      const message = `text: the audio is larger than the ${maxWholeAudioBytes} bytes of one answer; ask for a stream (/tts/v1/voice:stream), a lower sampleRateHertz or a compressed audioEncoding`
      throw new ServiceError('OUT_OF_RANGE', message)
    }
  }
  return { audio: Buffer.concat(audio), words }
}

/** Times come with the audio that holds them, or each with none of it after all audio. */
async function* toLines(
  request: SynthesisRequest,
  chunks: AsyncIterable<AudioChunk>,
): AsyncGenerator<Uint8Array, void> {
  let index = 0
  const late: (readonly SpokenWord[])[] = []
  for await (const { audio, words } of chunks) {
    const withHeader = withChunkHeader(request.layout, audio, index++)
    if (request.wordsLast && words.length > 0) late.push(words)
    yield toLine({ result: toResult(request, withHeader, request.wordsLast ? [] : words) })
  }
  for (const words of late) {
    yield toLine({ result: toResult(request, new Uint8Array(), words) })
  }
}

/** The count of characters is that of the whole text on every line, never a part that would have to be added up. */
function toResult(request: SynthesisRequest, audio: Uint8Array, words: readonly SpokenWord[]) {
  return {
    audioContent: Buffer.from(audio.buffer, audio.byteOffset, audio.length).toString('base64'),
    usage: { processedCharactersCount: request.text.length, modelId: request.modelId },
    timestampInfo: request.withWords ? { wordAlignment: toWordAlignment(words) } : undefined,
  }
}

function toWordAlignment(words: readonly SpokenWord[]) {
  return {
    words: words.map(({ text }) => text),
    wordStartTimeSeconds: words.map(({ startSeconds }) => startSeconds),
    wordEndTimeSeconds: words.map(({ endSeconds }) => endSeconds),
  }
}

function toLine(content: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(content)}\n`)
}
