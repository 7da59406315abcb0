import type { Tensor } from './ctranslate2.ts'
import { headSize } from './onnx-graph.ts'
import { sizesOf, textContext } from './whisper-graphs.ts'

export interface Tokenizer {
  model: { vocab: Record<string, number> }
  added_tokens: { id: number; content: string }[]
}

/** The metadata that sherpa-onnx reads. */
export function describe(
  weights: ReadonlyMap<string, Tensor>,
  { added_tokens: special }: Tokenizer,
) {
  const { vocabulary, state, encoderLayers, decoderLayers } = sizesOf(weights)
  const idOf = (content: string) => special.find((token) => token.content === `<|${content}|>`)!.id
  const languages = special.filter(({ content }) => /^<\|[a-z]{2,3}\|>$/.test(content))
  const start = idOf('startoftranscript')
  return {
    model_type: 'whisper-base',
    version: 1,
    n_mels: 80,
    n_audio_ctx: weights.get('encoder/position_encodings/encodings')!.shape[0]!,
    n_audio_state: state,
    n_audio_head: state / headSize,
    n_audio_layer: encoderLayers,
    n_vocab: vocabulary,
    n_text_ctx: textContext,
    n_text_state: state,
    n_text_head: state / headSize,
    n_text_layer: decoderLayers,
    sot_sequence: [start, idOf('en'), idOf('transcribe')].join(','),
    all_language_tokens: languages.map(({ id }) => id).join(','),
    all_language_codes: languages.map(({ content }) => content.slice(2, -2)).join(','),
    sot: start,
    sot_index: 0,
    eot: idOf('endoftext'),
    blank_id: 220,
    is_multilingual: 1,
    no_speech: idOf('nocaptions'),
    non_speech_tokens: '',
    transcribe: idOf('transcribe'),
    translate: idOf('translate'),
    sot_prev: idOf('startofprev'),
    sot_lm: idOf('startoflm'),
    no_timestamps: idOf('notimestamps'),
  }
}

/** Each token as bytes in base64. The tokenizer writes each byte as a letter: those without one of their own from U+0100 on. */
export function listTokens({ model }: Tokenizer): string {
  const hasLetter = (byte: number) =>
    (byte > 32 && byte < 127) || (byte > 160 && byte < 256 && byte !== 173)
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const others = bytes.filter((byte) => !hasLetter(byte))
  const toByte = new Map(bytes.filter(hasLetter).map((byte) => [byte, byte]))
  for (const [index, byte] of others.entries()) toByte.set(256 + index, byte)
  const lines = Object.entries(model.vocab)
    .filter(([token]) => !token.startsWith('<|'))
    .map(([token, id]) => {
      const content = Array.from(token, (letter) => toByte.get(letter.codePointAt(0)!)!)
      return `${Buffer.from(content).toString('base64')} ${id}\n`
    })
  return lines.join('')
}
