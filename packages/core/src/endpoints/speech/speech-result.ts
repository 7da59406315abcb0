import { completeFile } from '../../audio/audio-joiner.ts'
import { responseTooLarge } from '../../protocol-errors.ts'
import type { Stream } from '../../streams/stream.ts'
import type { SpeechWarning } from '../../wire/speech.ts'
import type { SpeechUsage } from './speech-report.ts'
import { type Timestamps, timestampsSizeBytes } from './timestamps.ts'
import type { AudioFormat, SpeechChunk } from './utterance-audio.ts'

/** A whole utterance. */
export interface SpeechResult extends AudioFormat {
  /** A complete file of `mediaType`; for PCM the bare samples, 16-bit little-endian. */
  audio: Uint8Array
  usage: SpeechUsage | undefined
  /** `undefined` unless the request asked for timestamps. */
  timestamps: Timestamps | undefined
  /** What the voice did not speak as expected; empty if there is nothing. */
  warnings: readonly SpeechWarning[]
  requestId: string
}

/**
 * Reads a stream to its end.
 * @param what named by errors.
 * @throws {ProtocolError} `RESPONSE_TOO_LARGE` above `maxBytes` of audio and timestamps.
 */
export async function collectSpeech(
  stream: Stream<SpeechChunk, SpeechResult> &
    AudioFormat &
    Pick<SpeechResult, 'usage' | 'warnings'>,
  what: string,
  maxBytes: number,
): Promise<SpeechResult> {
  const chunks: Uint8Array[] = []
  const timestamps: Timestamps = { words: [], characters: [] }
  let sizeBytes = 0
  await stream.consume((chunk) => {
    sizeBytes += chunk.audio.length
    if (chunk.timestamps) sizeBytes += timestampsSizeBytes(chunk.timestamps)
    if (sizeBytes > maxBytes) {
      const problem = `the response is larger than the limit of ${maxBytes} bytes`
      throw responseTooLarge({ what, requestId: stream.requestId }, problem)
    }
    chunks.push(chunk.audio)
    if (!chunk.timestamps) return
    for (const word of chunk.timestamps.words) timestamps.words.push(word)
    for (const character of chunk.timestamps.characters) timestamps.characters.push(character)
  })
  const { encoding, mediaType, sampleRateHertz, usage, warnings, requestId = '' } = stream
  const hasTimestamps = timestamps.words.length + timestamps.characters.length > 0
  return {
    audio: completeFile(encoding, Buffer.concat(chunks)),
    encoding,
    mediaType,
    sampleRateHertz,
    usage,
    timestamps: hasTimestamps ? timestamps : undefined,
    warnings,
    requestId,
  }
}
