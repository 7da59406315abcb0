import { type AudioChunk, encodeUtterance } from './encoded-stream.ts'
import type { SynthesisRequest } from './synthesis-request.ts'
import { speakUtterance } from './utterance.ts'

/** Speaks what was ordered, chunk by chunk. Leaving the loop or aborting the signal ends the work. */
export function synthesize(
  request: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<AudioChunk, void> {
  const { running, layout } = request
  const utterance = speakUtterance({ ...request, signal })
  return encodeUtterance(utterance, running.engine.sampleRateHertz, layout)
}
