import { isUint8Array } from 'node:util/types'
import { recordingLimits } from '../../audio/recording.ts'
import { InputError } from '../../errors.ts'
import type { Call } from '../../http/client-options.ts'
import { tookTooLong } from '../../http/response-errors.ts'
import { anySignal } from '../../http/time-limit.ts'

/**
 * Reads a recording, and stops as soon as it is larger than an upload may be.
 * @throws the reason of the call's signal, or an error of the iterable.
 */
export function collectAudio(audio: AsyncIterable<Uint8Array>, call: Call): Promise<Buffer> {
  const chunks = audio[Symbol.asyncIterator]()
  const signal = anySignal(call.signal, call.deadline())
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(call.signal?.aborted ? call.signal.reason : tookTooLong(call))
      // Not awaited: a pending chunk may be the reason why the call takes too long.
      chunks.return?.().catch(() => {})
    }
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    readAll(chunks)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', onAbort))
  })
}

async function readAll(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
    if (!isUint8Array(chunk)) {
      throw new InputError('Transcription request not valid: the chunks of audio must be bytes')
    }
    kept.push(chunk)
    sizeBytes += chunk.length
    // The check of the whole recording reports the size.
    if (sizeBytes > recordingLimits.maxBytes) break
  }
  return Buffer.concat(kept)
}
