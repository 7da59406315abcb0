import { ApiError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { readStart } from '../../http/response-body.ts'
import { type RetryInfo, wasNeverReceived } from '../../http/retry.ts'
import type { EndpointContext } from '../context.ts'
import { voicePath } from './get-voice.ts'

const maxResponseBytes = 64 * 1024

/** `DELETE /voices/v1/voices/{voiceId}`. */
export async function deleteVoice(
  { transport }: EndpointContext,
  voiceId: string,
  call: Call,
): Promise<void> {
  const path = voicePath(voiceId)
  // An attempt whose answer was lost may have removed the voice; the next one then finds none.
  let mayBeRemoved = false
  const onRetry = (info: RetryInfo) => {
    const isRejected = info.error instanceof ApiError && info.error.status < 500
    mayBeRemoved ||= !isRejected && !wasNeverReceived(info.error)
    call.onRetry?.(info)
  }
  try {
    // The status says it all; the body, documented as `{}`, is read so that the connection can be used again.
    await transport.send(
      { what: 'Voice removal', method: 'DELETE', path },
      { ...call, onRetry },
      ({ bytes }) => readStart(bytes, maxResponseBytes),
    )
    call.signal?.throwIfAborted()
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'NOT_FOUND'
    if (!isGone || !mayBeRemoved) throw error
  }
}
