import { ApiError, type ParlandoError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { readStart } from '../../http/response-body.ts'
import { wasNeverReceived } from '../../http/retry.ts'
import type { EndpointContext } from '../context.ts'
import { parseVoiceId, voicePath } from './get-voice.ts'

const maxResponseBytes = 64 * 1024

/** `DELETE /voices/v1/voices/{voiceId}`. */
export async function deleteVoice(
  { transport }: EndpointContext,
  voiceId: string,
  call: Call,
): Promise<void> {
  const path = voicePath(parseVoiceId(voiceId))
  try {
    await transport.send(
      { what: 'Voice removal', method: 'DELETE', path },
      call,
      // The status is the result. Reading the body, `{}` according to the documentation, frees the connection for reuse.
      ({ bytes }) => readStart(bytes(), maxResponseBytes),
    )
    call.signal?.throwIfAborted()
  } catch (error) {
    // An attempt whose response was lost may have deleted the voice; the next attempt then finds none.
    const isMissing = ApiError.isInstance(error) && error.code === 'NOT_FOUND'
    if (!isMissing || !error.earlierErrors?.some(mayHaveBeenCarriedOut)) throw error
  }
}

function mayHaveBeenCarriedOut(error: ParlandoError): boolean {
  const isRejected = ApiError.isInstance(error) && error.status < 500
  return !isRejected && !wasNeverReceived(error)
}
