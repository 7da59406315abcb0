/** The files of a recogniser, under the names that sherpa-onnx gives them. */
export interface RecogniserModelFiles {
  /** Whether it recognises speech while it is being spoken. */
  isStreaming: boolean
  family: Family
  files: Record<string, string>
  tokens: string
}

export type Family =
  | 'transducer'
  | 'zipformer2Ctc'
  | 'zipformerCtc'
  | 'nemoCtc'
  | 'paraformer'
  | 'whisper'
  | 'moonshine'
  | 'senseVoice'

/**
 * Recognises the family of a model by the names of its folder and files. The published models for sherpa-onnx use these
 * names.
 * @param names the entries of the model's folder.
 * @returns `undefined` if the folder does not contain a supported model.
 */
export function identifyRecogniserModel(
  folderName: string,
  names: readonly string[],
): RecogniserModelFiles | undefined {
  const isNamed = (pattern: RegExp) => pattern.test(folderName)
  const models = names.filter((name) => /\.(?:onnx|ort)$/.test(name)).sort(quantisedFirst)
  const find = (pattern: RegExp) => models.find((name) => pattern.test(name))
  const tokens = names.find((name) => name.endsWith('tokens.txt'))
  const isStreaming = isNamed(/streaming/i) || models.some((name) => /-chunk-\d/.test(name))
  const [model] = models
  if (!tokens || !model) return undefined
  const as = (family: Family, files: Record<string, string>) => {
    return { isStreaming, family, files, tokens }
  }

  const encoder = find(/encoder/)
  const decoder = find(/decoder/)
  const joiner = find(/joiner/)
  if (encoder && decoder && joiner) return as('transducer', { encoder, decoder, joiner })
  if (isStreaming) {
    if (encoder && decoder) return as('paraformer', { encoder, decoder })
    return as(isNamed(/nemo/i) ? 'nemoCtc' : 'zipformer2Ctc', { model })
  }

  if (isNamed(/moonshine/i)) return asMoonshine(as, find)
  if (encoder && decoder) {
    return isNamed(/whisper/i) || tokens !== 'tokens.txt'
      ? as('whisper', { encoder, decoder })
      : undefined
  }
  if (isNamed(/sense-?voice/i)) return as('senseVoice', { model })
  if (isNamed(/paraformer/i)) return as('paraformer', { model })
  if (isNamed(/nemo|parakeet/i)) return as('nemoCtc', { model })
  return isNamed(/zipformer/i) ? as('zipformerCtc', { model }) : undefined
}

function asMoonshine(
  as: (family: Family, files: Record<string, string>) => RecogniserModelFiles,
  find: (pattern: RegExp) => string | undefined,
): RecogniserModelFiles | undefined {
  const preprocessor = find(/^preprocess/)
  const encoder = find(/^encode/)
  const uncachedDecoder = find(/^uncached_decode/)
  const cachedDecoder = find(/^cached_decode/)
  if (preprocessor && encoder && uncachedDecoder && cachedDecoder) {
    return as('moonshine', { preprocessor, encoder, uncachedDecoder, cachedDecoder })
  }
  const mergedDecoder = find(/^decoder.*merged/)
  return encoder && mergedDecoder ? as('moonshine', { encoder, mergedDecoder }) : undefined
}

/** Prefers `model.int8.onnx` to `model.onnx`: it is several times faster and recognises almost as well. */
function quantisedFirst(one: string, other: string): number {
  const rank = (name: string) => (name.includes('int8') ? 0 : 1)
  return rank(one) - rank(other) || (one < other ? -1 : 1)
}
