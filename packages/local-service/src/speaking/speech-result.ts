import type { SpokenPhone, SpokenWord } from '../engines/engine.ts'
import type { SynthesisSettings } from './synthesis-request.ts'

interface Spoken {
  audio: Uint8Array
  words: readonly SpokenWord[]
  /** The characters of the text so far. */
  characters: number
}

/** Spoken audio in the format of the protocol. */
export function toSpeechResult(
  { modelId, withWords }: Pick<SynthesisSettings, 'modelId' | 'withWords'>,
  { audio, words, characters }: Spoken,
) {
  return {
    audioContent: Buffer.from(audio.buffer, audio.byteOffset, audio.length).toString('base64'),
    usage: { processedCharactersCount: characters, modelId },
    timestampInfo: withWords ? { wordAlignment: toWordAlignment(words) } : undefined,
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
