import type { SocketEndpoint } from './endpoint.ts'
import { transcriptionStream } from './transcription/stream/socket.ts'

/** Every WebSocket of the service. */
export const socketEndpoints: readonly SocketEndpoint[] = [transcriptionStream]
