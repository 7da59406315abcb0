import type { Context } from 'hono'
import { callerOf } from '../../server/admission/caller.ts'
import type { SpeechFacts } from '../../server/observability/finished-request.ts'
import {
  elapsedMs,
  reportSpeech,
  reportWarnings,
  traceOf,
} from '../../server/observability/observe.ts'
import type { SharedSound } from '../../speaking/shared-sound.ts'
import type { SynthesisRequest } from '../../speaking/synthesis-request.ts'
import { type AudioChunk, synthesize } from '../../speaking/synthesize.ts'

/**
 * Synthesises a request and counts its audio for the log and the metrics.
 * @param sharedSound where its sound may be kept. Default: nowhere.
 */
export async function* synthesizeMeasured(
  context: Context,
  request: SynthesisRequest,
  signal: AbortSignal,
  sharedSound?: SharedSound,
): AsyncGenerator<AudioChunk, void> {
  const { modelId, text, warnings, voice } = request
  const { voiceId } = voice.voice
  const facts: SpeechFacts = { modelId, voiceId, characters: text.length, audioSeconds: 0 }
  reportSpeech(context, facts)
  reportWarnings(context, warnings)
  const observed = { ...request, caller: callerOf(context), trace: traceOf(context) }
  const chunks = sharedSound?.synthesize(observed, signal) ?? synthesize(observed, signal)
  for await (const chunk of chunks) {
    facts.firstAudioMs ??= elapsedMs(context)
    facts.audioSeconds += chunk.durationSeconds
    yield chunk
  }
}
