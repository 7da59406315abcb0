import { type AudioChunk, encodeUtterance } from './encoded-stream.ts'
import type { SpeechOrder } from './synthesis-request.ts'
import { speakUtterance } from './utterance.ts'

/** Speaks what was ordered, chunk by chunk. Leaving the loop or aborting the signal ends the work. */
export function speakOrder(
  order: SpeechOrder,
  signal: AbortSignal,
): AsyncGenerator<AudioChunk, void> {
  const { running, layout } = order
  const utterance = speakUtterance({ ...order, signal })
  return encodeUtterance(utterance, running.engine.sampleRateHertz, layout)
}
