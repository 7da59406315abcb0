import type { SpokenPhone, SpokenWord } from '../engines/engine.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { SynthesisRequest } from './synthesis-request.ts'
import type { AudioChunk } from './synthesize.ts'

interface Spoken {
  audio: Uint8Array
  words: readonly SpokenWord[]
  /** The characters of the text so far. */
  characters: number
}

/** Spoken audio in the format of the protocol. */
export function toSpeechResult(
  { modelId, withWords, warnings }: Pick<SynthesisRequest, 'modelId' | 'withWords' | 'warnings'>,
  { audio, words, characters }: Spoken,
) {
  // Of another service, the voice may not report the times that this one supports.
  const hasTimes = withWords && !warnings.some(({ code }) => code === 'no-word-times')
  return {
    audioContent: Buffer.from(audio.buffer, audio.byteOffset, audio.length).toString('base64'),
    usage: { processedCharactersCount: characters, modelId },
    timestampInfo: hasTimes ? { wordAlignment: toWordAlignment(words) } : undefined,
  }
}

function toWordAlignment(words: readonly SpokenWord[]) {
  return {
    words: words.map(({ text }) => text),
    wordStartTimeSeconds: words.map(({ startSeconds }) => startSeconds),
    wordEndTimeSeconds: words.map(({ endSeconds }) => endSeconds),
    phoneticDetails: words.flatMap(({ phones }, wordIndex) =>
      phones ? [{ wordIndex, phones: phones.map(toPhone) }] : [],
    ),
  }
}

function toPhone({ symbol, viseme, startSeconds, endSeconds }: SpokenPhone) {
  return {
    phoneSymbol: symbol,
    startTimeSeconds: startSeconds,
    durationSeconds: endSeconds - startSeconds,
    visemeSymbol: viseme,
  }
}

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
