/** The files of a model, under the names that sherpa-onnx gives them. */
export interface VoiceModelFiles {
  family: 'vits' | 'matcha' | 'kokoro' | 'kitten' | 'zipvoice' | 'pocket' | 'supertonic'
  /** Paths; several are separated by commas. */
  files: Record<string, string>
  /** Text normalisation rules for numbers, dates and the like, applied in order. */
  ruleFsts?: string
}

/** Families without voices of their own, which imitate a recording. */
export const cloningFamilies: readonly VoiceModelFiles['family'][] = ['zipvoice', 'pocket']

/**
 * Recognises the family of a model by its file names. The published models for sherpa-onnx use these names.
 * @param names the entries of the model's folder.
 * @returns `undefined` if the folder does not contain a speech model.
 */
export function identifyVoiceModel(
  folderName: string,
  names: readonly string[],
): VoiceModelFiles | undefined {
  const { find, model, quantised } = createFinder(names)
  const reading = {
    tokens: find(/^tokens\.txt$/),
    dataDir: find(/^espeak-ng-data$/),
    lexicon: names.filter((name) => /^lexicon.*\.txt$/.test(name)).join(',') || undefined,
  }
  const encoder = model(/encoder/)
  const decoder = model(/decoder/)
  const vocoder = model(/vocos|vocoder|hifigan/)
  const voices = find(/^voices\.bin$/)
  const speaking = model(/^(?!.*(vocos|vocoder|hifigan|encoder|decoder))/)
  const ruleFsts = names.filter((name) => name.endsWith('.fst')).join(',') || undefined
  const as = (family: VoiceModelFiles['family'], files: Record<string, string | undefined>) => {
    const found = Object.entries(files).filter(([, name]) => name)
    return { family, files: Object.fromEntries(found) as Record<string, string>, ruleFsts }
  }

  const vectorEstimator = quantised(/^vector_estimator/)
  if (vectorEstimator) {
    return as('supertonic', {
      durationPredictor: quantised(/^duration_predictor/),
      textEncoder: quantised(/^text_encoder/),
      vectorEstimator,
      vocoder: quantised(/^vocoder/),
      ttsJson: find(/^tts\.json$/),
      unicodeIndexer: find(/^unicode_indexer\.bin$/),
      voiceStyle: find(/^voice\.bin$/),
    })
  }
  const lmMain = quantised(/^lm_main/)
  if (lmMain && encoder && decoder) {
    return as('pocket', {
      lmMain,
      lmFlow: quantised(/^lm_flow/),
      encoder: quantised(/^encoder/),
      decoder: quantised(/^decoder/),
      textConditioner: quantised(/^text_conditioner/),
      vocabJson: find(/^vocab\.json$/),
      tokenScoresJson: find(/^token_scores\.json$/),
    })
  }
  if (!reading.tokens) return undefined
  if (encoder && decoder && vocoder)
    return as('zipvoice', { encoder, decoder, vocoder, ...reading })
  if (!speaking) return undefined
  if (vocoder) return as('matcha', { acousticModel: speaking, vocoder, ...reading })
  if (voices) {
    const isKitten = /kitten/i.test(folderName)
    return isKitten
      ? as('kitten', { model: speaking, voices, ...reading, lexicon: undefined })
      : as('kokoro', { model: speaking, voices, ...reading })
  }
  return as('vits', { model: speaking, ...reading })
}

/** Finds files by patterns of their names. */
function createFinder(names: readonly string[]) {
  const find = (pattern: RegExp) =>
    names.filter((name) => pattern.test(name)).sort(shortestFirst)[0]
  const endingIn = (end: string, { source }: RegExp) => find(new RegExp(`(?:${source}).*${end}$`))
  const model = (pattern: RegExp) => endingIn('\\.onnx', pattern)
  return {
    find,
    model,
    /** The makers of some families publish the quantised form, which sounds the same. */
    quantised: (pattern: RegExp) => endingIn('\\.int8\\.onnx', pattern) ?? model(pattern),
  }
}

/**
 * Prefers `model.onnx` to its quantised form `model.int8.onnx`, which sounds worse and is not always faster: for Kokoro it
 * was reported to take twice the time, for Piper four times.
 */
function shortestFirst(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1)
}
