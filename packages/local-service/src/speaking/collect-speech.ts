import type { SpokenWord } from '../engines/engine.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { AudioChunk } from './synthesize.ts'

// The limit of the protocol for one response, which the service holds in memory together with its base64 form.
const maxAudioBytes = 16 * 1024 * 1024

/** @throws {ServiceError} as soon as the audio is too large for one response. */
export async function collectSpeech(
  chunks: AsyncIterable<AudioChunk>,
): Promise<{ audio: Buffer; words: SpokenWord[] }> {
  const audio: Uint8Array[] = []
  const words: SpokenWord[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    audio.push(chunk.audio)
    for (const word of chunk.words) words.push(word)
    bytes += chunk.audio.length
    if (bytes > maxAudioBytes) {
      const message = `text: the audio is larger than ${maxAudioBytes} bytes, the limit of one response; use a stream (/tts/v1/voice:stream), a lower sampleRateHertz or a compressed audioEncoding`
      throw new ServiceError('OUT_OF_RANGE', message)
    }
  }
  return { audio: Buffer.concat(audio), words }
}
