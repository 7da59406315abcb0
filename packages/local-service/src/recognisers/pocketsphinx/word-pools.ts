import { availableParallelism } from 'node:os'
import { createDecoderPool, type DecoderPool } from './decoder-pool.ts'
import type { WordsRequest } from './open-words.ts'
import {
  type DecoderSettings,
  type PocketsphinxDecoder,
  quickSettings,
  urgentSettings,
} from './pocketsphinx-decoder.ts'

/** Decoders for any words, with settings that differ in their speed. */
export interface WordPools {
  /**
   * Chooses decoders for an utterance. While as many utterances are recognised as the machine has cores, a further speaker gets
   * quick ones. A recording does not, because its text must not depend on the load.
   */
  choose(request: WordsRequest): DecoderPool
}

export function createWordPools(
  create: (settings?: DecoderSettings) => Promise<PocketsphinxDecoder>,
  cores = availableParallelism(),
): WordPools {
  const thorough = createDecoderPool(() => create())
  const urgent = createDecoderPool(() => create(urgentSettings))
  const quick = createDecoderPool(() => create(quickSettings), { isQuick: true })
  return {
    choose({ withInterim, isUrgent }) {
      const used = thorough.used + urgent.used + quick.used
      // Only who speaks now wants interim results.
      if (withInterim && used >= cores) return quick
      return isUrgent ? urgent : thorough
    },
  }
}
