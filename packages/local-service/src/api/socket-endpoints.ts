import type { SocketEndpoint } from './endpoint.ts'
import { speechSocket } from './speech-socket/socket.ts'
import { transcriptionStream } from './transcription/stream/socket.ts'

/** Every WebSocket of the service. */
export const socketEndpoints: readonly SocketEndpoint[] = [speechSocket, transcriptionStream]
