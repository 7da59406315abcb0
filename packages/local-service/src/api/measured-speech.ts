import type { Context } from 'hono'
import { elapsedMs, reportSpeech, reportWarnings, type SpeechFacts } from '../server/observe.ts'
import type { SynthesisRequest } from '../speaking/synthesis-request.ts'
import { type AudioChunk, synthesize } from '../speaking/synthesize.ts'

/** Synthesises a request and counts its audio for the log and the metrics. */
export async function* speak(
  context: Context,
  request: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<AudioChunk, void> {
  const { modelId, text, warnings } = request
  const facts: SpeechFacts = { modelId, characters: text.length, audioSeconds: 0 }
  reportSpeech(context, facts)
  reportWarnings(context, warnings)
  for await (const chunk of synthesize(request, signal)) {
    facts.firstAudioMs ??= elapsedMs(context)
    facts.audioSeconds += chunk.durationSeconds
    yield chunk
  }
}
