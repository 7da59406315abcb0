import type { CallOptions, Client, SpeechRequest, SpeechWarning } from '@parlando/core'
import type { SpeechService } from '../../runtime/find-service.ts'
import type { GrowingSound } from '../../sounds/sound.ts'
import { cacheOf, keyOf, maxSentenceBytes } from './sentence-cache.ts'

export interface SpeechTarget {
  sound: GrowingSound
  call: CallOptions & { signal: AbortSignal }
  service: SpeechService
  /** Called before the first audio. What it throws ends the speech, of which nothing is heard then. */
  check?(warnings: readonly SpeechWarning[]): void
}

/** Appends the speech to a sound: from the cache, or from the service, and then to the cache. @returns its warnings. */
export async function speakOnce(
  client: Client,
  request: SpeechRequest,
  { sound, call, service, check = () => {} }: SpeechTarget,
): Promise<readonly SpeechWarning[]> {
  const sentences = cacheOf(client)
  const key = keyOf(request)
  const known = key && sentences.get(key)
  if (known) {
    check(known.warnings)
    sound.append(known.audio)
    return known.warnings
  }
  const stream = client.synthesizeStream(request, call)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const { audio } of stream) {
      if (bytes === 0) check(stream.warnings)
      sound.append(audio)
      bytes += audio.length
      if (bytes <= maxSentenceBytes) chunks.push(audio)
      await sound.room(call.signal)
    }
  } catch (error) {
    service.noteFailure(error)
    throw error
  }
  const { warnings } = stream
  if (key && bytes <= maxSentenceBytes) {
    sentences.add(key, { audio: Buffer.concat(chunks), warnings })
  }
  return warnings
}
