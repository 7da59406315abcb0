import { expect, onTestFinished, vi } from 'vitest'
import { createClient } from '../../../core/src/client.ts'
import type {
  RealtimeConversation,
  RealtimeOptions,
} from '../../../core/src/endpoints/realtime/realtime.ts'
import type { RealtimeEvent } from '../../../core/src/endpoints/realtime/realtime-event.ts'
import type { RealtimeSession } from '../../../core/src/wire/realtime-session.ts'
import { type ServerSocket, type SocketServerHandlers, startSocketServer } from './socket-server.ts'

// A busy machine may take a while for a handshake.
export const waitFor = <Result>(check: () => Result) => vi.waitFor(check, 10_000)

/** Starts a service, a conversation with it, and a loop that collects the events. */
export async function startConversation(
  handlers: SocketServerHandlers,
  session: RealtimeSession = {},
  options: RealtimeOptions = {},
) {
  const server = await startSocketServer(handlers)
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
  onTestFinished(() => client.close())
  const conversation = client.realtime(session, options)
  const events: RealtimeEvent[] = []
  const ended = collect(conversation, events)
  ended.catch(() => {})
  const seen = (type: string) =>
    waitFor(() => {
      const event = events.findLast((one) => one.type === type)
      expect(events.map((one) => one.type)).toContain(type)
      return event!
    })
  return { server, conversation, events, ended, seen }
}

async function collect(conversation: RealtimeConversation, events: RealtimeEvent[]) {
  for await (const event of conversation) events.push(event)
}

export const sentTypes = ({ messages }: ServerSocket) =>
  messages.map((message) => (message as { type: string }).type)
export const sentOf = (socket: ServerSocket, type: string) =>
  socket.messages.filter((message) => (message as { type: string }).type === type)

export const created = (id = 'r1') => ({ type: 'response.created', response: { id } })
export const done = (id = 'r1') => ({
  type: 'response.done',
  response: { id, status: 'completed' },
})
export const place = { response_id: 'r1', item_id: 'i1', output_index: 0, content_index: 0 }
/** @param durationMs of silence. */
export const speech = (durationMs: number, facts = {}) => ({
  type: 'response.output_audio.delta',
  ...place,
  ...facts,
  delta: Buffer.alloc(durationMs * 48).toString('base64'),
})
export const speechStarted = {
  type: 'input_audio_buffer.speech_started',
  item_id: 'u1',
  audio_start_ms: 0,
}
export const words = {
  type: 'conversation.item.input_audio_transcription.completed',
  item_id: 'u1',
  content_index: 0,
  transcript: 'Stop that.',
}
export const call = (callId: string) => ({
  type: 'response.output_item.done',
  response_id: 'r1',
  output_index: 0,
  item: {
    id: `f-${callId}`,
    type: 'function_call',
    call_id: callId,
    name: 'light',
    arguments: '{}',
  },
})

/** A service that sends these events as soon as the settings arrive. */
export function responding(...events: object[]): SocketServerHandlers {
  return {
    onMessage(socket, { type }) {
      if (type === 'session.update') for (const event of events) socket.send(event)
    },
  }
}
