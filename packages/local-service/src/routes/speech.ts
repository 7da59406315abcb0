import type { Context, Hono } from 'hono'
import { toRefusal } from '../refusal.ts'
import type { AudioChunk } from '../speech/audio-stream.ts'
import { withChunkHeader, withFileHeader } from '../speech/encoder.ts'
import { speakOrder } from '../speech/speak-order.ts'
import { readSpeechOrder, type SpeechMenu, type SpeechOrder } from '../speech/speech-order.ts'

import { limitBody, readJsonBody } from './json-body.ts'
import { noteSpeech } from './observe.ts'
import { toStreamBody } from './stream-body.ts'

export interface SpeechRouteOptions extends SpeechMenu {
  /** Hears of failures that are nobody's fault but ours. */
  onFailure(error: unknown): void
}

const maxBodyBytes = 1024 * 1024
// The whole answer is held in memory, base64 and all: 4,000 characters make some 26 MB at 48 kHz.
const maxWholeTextCharacters = 4_000
const maxStreamTextCharacters = 100_000

/** `POST /tts/v1/voice` and `POST /tts/v1/voice:stream`. */
export function addSpeechRoutes(app: Hono, options: SpeechRouteOptions): void {
  const limit = limitBody(maxBodyBytes)

  app.post('/tts/v1/voice', limit, async (context) => {
    const order = await readOrder(context, options, maxWholeTextCharacters)
    const chunks: Uint8Array[] = []
    const leaving = context.req.raw.signal
    const spoken = noteSpeech(context, order, speakOrder(order, leaving))
    for await (const { audio } of spoken) chunks.push(audio)
    const audio = withFileHeader(order.layout, Buffer.concat(chunks))
    return context.json(toResult(order, audio))
  })

  app.post('/tts/v1/voice:stream', limit, async (context) => {
    const order = await readOrder(context, options, maxStreamTextCharacters)
    const left = new AbortController()
    const lines = toLines(order, noteSpeech(context, order, speakOrder(order, left.signal)))
    // The first line decides: what fails before it still gets a fitting status.
    const first = await lines.next()
    // Chunked by name, because the server would else wait for two more lines, to learn whether there are any.
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const body = toStreamBody(first, lines, left, (error) => {
      options.onFailure(error)
      return toLine({ error: toRefusal(error).body })
    })
    return new Response(body, { headers })
  })
}

async function readOrder(
  context: Context,
  options: SpeechRouteOptions,
  maxTextCharacters: number,
): Promise<SpeechOrder> {
  return readSpeechOrder(await readJsonBody(context), options, maxTextCharacters)
}

async function* toLines(
  order: SpeechOrder,
  chunks: AsyncIterable<AudioChunk>,
): AsyncGenerator<Uint8Array, void> {
  let index = 0
  for await (const chunk of chunks) {
    const audio = withChunkHeader(order.layout, chunk.audio, index++)
    yield toLine({ result: toResult(order, audio) })
  }
}

function toResult(order: SpeechOrder, audio: Uint8Array) {
  return {
    audioContent: Buffer.from(audio.buffer, audio.byteOffset, audio.length).toString('base64'),
    usage: { processedCharactersCount: order.text.length, modelId: order.modelId },
  }
}

function toLine(content: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(content)}\n`)
}
