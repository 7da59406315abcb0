import type { SocketEndpoint } from './endpoint.ts'
import { hostedRealtime, realtime } from './realtime.ts'
import { speechSocket } from './speech-socket.ts'
import { transcriptionStream } from './transcription-stream.ts'

/** Every WebSocket of the service. */
export const socketEndpoints: readonly SocketEndpoint[] = [
  transcriptionStream,
  speechSocket,
  realtime,
  hostedRealtime,
]
