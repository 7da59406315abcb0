import type { SocketEndpoint } from './endpoint.ts'
import { hostedRealtime, realtime } from './realtime/socket.ts'
import { speechSocket } from './speech-socket/socket.ts'
import { transcriptionStream } from './transcription/stream/socket.ts'

/** Every WebSocket of the service. */
export const socketEndpoints: readonly SocketEndpoint[] = [
  transcriptionStream,
  speechSocket,
  realtime,
  hostedRealtime,
]
