import { onTestFinished } from 'vitest'
import { createClient } from '../../../core/src/client.ts'
import type { SpeechContext } from '../../../core/src/endpoints/speech/speech-context.ts'
import type { SpeechChunk } from '../../../core/src/endpoints/speech/utterance-audio.ts'
import type { ClientOptions } from '../../../core/src/http/client-options.ts'
import { type ServerSocket, type SocketServerHandlers, startSocketServer } from './socket-server.ts'

export const status = { code: 0, message: '', details: [] }
export const pcm = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
export const settings = { voiceId: 'Clara', audioConfig: pcm }
export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
export const chunk = (bytes: number, more: object = {}) => ({
  audioChunk: { audioContent: base64(new Uint8Array(bytes).fill(7)), ...more },
})

/** Starts a service, and a speech socket of a client. */
export async function startSpeech(
  handlers: SocketServerHandlers,
  options: Partial<ClientOptions> = {},
) {
  const server = await startSocketServer(handlers)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, ...options })
  onTestFinished(() => client.close())
  return { server, client, socket: client.speechSocket() }
}

export interface ClientMessage {
  contextId: string
  create?: object
  send_text?: { text: string }
  flush_context?: object
  close_context?: object
}

export function reply(socket: ServerSocket, contextId: string, ...results: object[]): void {
  for (const result of results) socket.send({ result: { contextId, ...result, status } })
}

/** A service that speaks one chunk of 4 bytes for each character when a context is flushed or closed. */
export function speaking(): SocketServerHandlers {
  const texts = new Map<string, string>()
  const flush = (socket: ServerSocket, id: string) => {
    const text = texts.get(id) ?? ''
    texts.set(id, '')
    if (text) reply(socket, id, chunk(text.length * 4), { flushCompleted: {} })
  }
  return {
    onMessage(socket, message) {
      const { contextId: id, create, ...verbs } = message as unknown as ClientMessage
      if (create) reply(socket, id, { contextCreated: create })
      if (verbs.send_text) texts.set(id, (texts.get(id) ?? '') + verbs.send_text.text)
      if (verbs.flush_context || verbs.close_context) flush(socket, id)
      if (verbs.close_context) reply(socket, id, { contextClosed: {} })
    },
  }
}

/** A service that responds to `create` with these results. */
export const responding = (...results: object[]): SocketServerHandlers => ({
  onMessage(socket, { contextId, create }) {
    if (create) reply(socket, contextId as string, ...results)
  },
})

export async function read(context: SpeechContext): Promise<SpeechChunk[]> {
  const chunks: SpeechChunk[] = []
  for await (const chunk of context) chunks.push(chunk)
  return chunks
}
