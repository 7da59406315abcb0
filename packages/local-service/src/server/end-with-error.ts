import { isServiceFault, toServiceError } from '../to-service-error.ts'
import { type ClientSocket, closeCodes } from './client-socket.ts'

interface ErrorReport {
  /** Receives failures of the service. */
  onFailure(error: unknown): void
  /** The message with the error. Default: the error body of the protocol. */
  toMessage?(error: unknown): object
}

/** Ends a socket with an error, as its last message. */
export async function endWithError(
  socket: Pick<ClientSocket, 'signal' | 'send' | 'close'>,
  error: unknown,
  { onFailure, toMessage = toBody }: ErrorReport,
): Promise<void> {
  // Nobody would receive it, and cancelled work is not a failure.
  if (socket.signal.aborted) return
  const isFault = isServiceFault(error)
  if (isFault) onFailure(error)
  await socket.send(toMessage(error))
  socket.close(isFault ? closeCodes.failed : closeCodes.rejected)
}

function toBody(error: unknown): object {
  return { error: toServiceError(error).body }
}
