import { transcribeStreamResponseSchema } from '@parlando/core/wire'
import { afterEach, beforeEach, expect } from 'vitest'
import type { AppOptions } from '../../../../local-service/src/api/app/app.ts'
import type { RunningEngine } from '../../../../local-service/src/engines/engine-registry.ts'
import type {
  ListeningServer,
  ServerOptions,
} from '../../../../local-service/src/server/http-server.ts'
import { voicedSound } from '../../audio/computed-sounds.ts'
import { createFakeRecogniser, type FakeRecogniser } from '../fake-recogniser.ts'
import { openTestServer } from '../open-server.ts'
import { createTestApp } from '../test-app.ts'
import { connectSocket, type SocketClient, type SocketClientOptions } from './socket-client.ts'

export const path = '/stt/v1/transcribe:streamBidirectional'
export const config = { transcribeConfig: {} }
export const manual = { transcribeConfig: { vadThreshold: 0 } }
export const endTurn = { endTurn: {} }
export const closeStream = { closeStream: {} }

/** Sound at 16 kHz. */
export const silence = (ms: number) => new Int16Array(ms * 16)
export const voice = (ms: number) => voicedSound({ seconds: ms / 1000 })

/** Messages of 100 ms. */
export function chunks(...sounds: Int16Array[]): object[] {
  const bytes = Buffer.concat(sounds.map(({ buffer }) => Buffer.from(buffer)))
  const count = Math.ceil(bytes.length / 3200)
  return Array.from({ length: count }, (_, index) =>
    chunk(bytes.subarray(index * 3200, (index + 1) * 3200)),
  )
}

export const chunk = (bytes: Uint8Array) => ({
  audioChunk: { content: Buffer.from(bytes).toString('base64') },
})

/** A service with a fake recogniser, new for each test. */
export interface TestTranscription {
  recogniser: FakeRecogniser
  /** The failures that the service has reported. A test that expects some must remove them. */
  failures: unknown[]
  open(options?: Options): Promise<ListeningServer>
  /** @param socketPath Default: that of transcription. */
  connect(
    options?: Options,
    client?: SocketClientOptions,
    socketPath?: string,
  ): Promise<SocketClient>
}

type Options = Partial<AppOptions> & Partial<ServerOptions>

export function useTestTranscription(): TestTranscription {
  const service: TestTranscription = {
    recogniser: createFakeRecogniser(),
    failures: [],
    async open(options = {}) {
      const { failures, recogniser } = service
      const app = createTestApp({} as RunningEngine, (error) => failures.push(error), undefined, {
        recognisers: new Map([['fake', recogniser]]),
        ...options,
      })
      return openTestServer({ fetch: app.fetch, ...options })
    },
    async connect(options, client = {}, socketPath = path) {
      const { baseUrl } = await service.open(options)
      return connectSocket(baseUrl, socketPath, client)
    },
  }
  beforeEach(() => {
    service.recogniser = createFakeRecogniser()
    service.failures = []
  })
  afterEach(() => expect(service.failures).toEqual([]))
  return service
}

/** The names of the results in order, finals with their text. */
export function summary({ received }: SocketClient): string[] {
  return received.flatMap((message) => {
    const { result, error } = transcribeStreamResponseSchema.parse(message)
    if (error) return `error: ${typeof error === 'string' ? error : error.message}`
    const { transcription, ...other } = result!
    if (!transcription) return Object.keys(other)
    return transcription.isFinal ? `final ${transcription.transcript}` : []
  })
}
