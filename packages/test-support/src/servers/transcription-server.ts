import { onTestFinished } from 'vitest'
import { createClient } from '../../../core/src/client.ts'
import type { TranscriptionStream } from '../../../core/src/endpoints/transcription/transcribe-stream.ts'
import type { TranscriptionEvent } from '../../../core/src/endpoints/transcription/transcription-event.ts'
import type { ClientOptions } from '../../../core/src/http/client-options.ts'
import { type ServerSocket, type SocketServerHandlers, startSocketServer } from './socket-server.ts'

export const final = { result: { transcription: { transcript: 'lights on', isFinal: true } } }
export const usage = { result: { usage: { transcribedAudioMs: 1000, modelId: 'm' } } }

/** Starts a service, and a client of it. */
export async function startTranscription(
  handlers: SocketServerHandlers,
  options: Partial<ClientOptions> = {},
) {
  const server = await startSocketServer(handlers)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, ...options })
  onTestFinished(() => client.close())
  return { server, client }
}

/** A service that responds to `closeStream` with these messages and closes the socket. */
export function responding(...responses: unknown[]): SocketServerHandlers {
  return {
    onMessage(socket, message) {
      if (!message['closeStream']) return
      for (const response of responses) socket.send(response)
      socket.webSocket.close(1000)
    },
  }
}

/** A service that sends these messages as soon as the socket is open. */
export function sending(...messages: (object | string | Buffer)[]): SocketServerHandlers {
  return {
    onOpen({ webSocket }) {
      for (const message of messages) {
        const isRaw = typeof message === 'string' || Buffer.isBuffer(message)
        webSocket.send(isRaw ? message : JSON.stringify(message))
      }
    },
  }
}

export async function collect(stream: TranscriptionStream): Promise<TranscriptionEvent[]> {
  const events: TranscriptionEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** The audio that the service received. */
export function receivedAudio({ messages }: ServerSocket): Buffer {
  const contents = messages.map((message) => {
    const { audioChunk } = message as { audioChunk?: { content: string } }
    return Buffer.from(audioChunk?.content ?? '', 'base64')
  })
  return Buffer.concat(contents)
}

export const pcm = (sizeBytes: number) =>
  Buffer.from(Array.from({ length: sizeBytes }, (_, index) => index % 251))
