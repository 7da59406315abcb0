import { expect, vi } from 'vitest'
import type { ServerOptions } from '../../../../local-service/src/server/http-server.ts'
import { openTestServer } from '../open-server.ts'
import type { TestApp } from '../test-app.ts'
import { connectSocket, type SocketClient } from './socket-client.ts'

export const path = '/tts/v1/voice:streamBidirectional'
export const pcm = { audioEncoding: 'PCM', sampleRateHertz: 16_000 }
export const settings = { voiceId: 'Clara', modelId: 'svc-tts-2-flash', audioConfig: pcm }
export const ok = { code: 0, message: '', details: [] }

export const create = (contextId: string, more: object = {}) => ({
  create: { ...settings, ...more },
  contextId,
})
export const sendText = (contextId: string, text: string, more: object = {}) => ({
  sendText: { text, ...more },
  contextId,
})
export const flush = (contextId: string) => ({ flushContext: {}, contextId })
export const close = (contextId: string) => ({ closeContext: {}, contextId })

export async function connect(
  { app }: Pick<TestApp, 'app'>,
  options: Partial<ServerOptions> = {},
): Promise<SocketClient> {
  const { baseUrl } = await openTestServer({ fetch: app.fetch, ...options })
  return connectSocket(baseUrl, path)
}

interface Result {
  contextId: string
  contextCreated?: object
  audioChunk?: {
    audioContent: string
    usage: { processedCharactersCount: number }
    warnings?: { code: string }[]
    timestampInfo?: {
      wordAlignment: { words: string[]; wordStartTimeSeconds: number[] }
    }
  }
  flushCompleted?: object
  contextClosed?: object
  status: { code: number; message: string }
}

export function resultsOf({ received }: SocketClient, contextId?: string): Result[] {
  const results = received.flatMap((message) => (message as { result?: Result }).result ?? [])
  return results.filter((result) => contextId === undefined || result.contextId === contextId)
}

/** The names of the results of a context in order, with consecutive chunks of audio as one, and the code of an error. */
export function summary(client: SocketClient, contextId: string): (string | number)[] {
  const names = resultsOf(client, contextId).map(({ contextId: _id, status, ...result }) =>
    status.code === 0 ? Object.keys(result).join() : status.code,
  )
  return names.filter((name, index) => name !== 'audioChunk' || names[index - 1] !== name)
}

export const chunksOf = (client: SocketClient, contextId: string) =>
  resultsOf(client, contextId).flatMap(({ audioChunk }) => audioChunk ?? [])

/** Waits until the service has closed the contexts. */
export async function closed(client: SocketClient, ...contextIds: string[]): Promise<void> {
  await vi.waitFor(
    () => {
      for (const id of contextIds) expect(summary(client, id).at(-1)).toBe('contextClosed')
    },
    { timeout: 20_000 },
  )
}
