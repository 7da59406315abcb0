import type { SpeechChunk } from '@parlando/core'
import type { Speech } from '../speech-service.ts'

/**
 * The same speech with other chunks.
 * @param current is called for each fact of it when somebody reads the fact: some, such as its warnings, are known only later.
 */
export function speechWithChunks(
  current: () => Speech,
  chunks: () => AsyncIterator<SpeechChunk, void>,
): Speech {
  return {
    get encoding() {
      return current().encoding
    },
    get mediaType() {
      return current().mediaType
    },
    get sampleRateHertz() {
      return current().sampleRateHertz
    },
    get usage() {
      return current().usage
    },
    get warnings() {
      return current().warnings
    },
    get firstAudioMs() {
      return current().firstAudioMs
    },
    get isKept() {
      return current().isKept ?? false
    },
    [Symbol.asyncIterator]: chunks,
  }
}
