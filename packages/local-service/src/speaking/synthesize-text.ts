import type { RequestTrace } from '../server/observability/request-trace.ts'
import type { SynthesisRequest } from './synthesis-request.ts'
import { type AudioChunk, synthesize } from './synthesize.ts'

/**
 * Speaks one of the texts of a socket, with a span of its own where the process records traces.
 * @param trace that of the socket.
 */
export async function* synthesizeText(
  request: SynthesisRequest,
  trace: RequestTrace | undefined,
  signal: AbortSignal,
): AsyncGenerator<AudioChunk, void> {
  const { modelId, voice, text } = request
  const { voiceId } = voice.voice
  const textTrace = trace?.startText({ modelId, voiceId, characters: text.length })
  let hasFailed = false
  try {
    for await (const chunk of synthesize({ ...request, trace: textTrace }, signal)) {
      textTrace?.addAudio(chunk.durationSeconds)
      yield chunk
    }
  } catch (error) {
    hasFailed = !signal.aborted
    throw error
  } finally {
    textTrace?.end(hasFailed)
  }
}
