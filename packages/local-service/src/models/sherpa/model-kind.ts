export type ModelKind = 'voice' | 'recogniser' | 'wake-word'

/** What sherpa-onnx calls keyword spotting. */
const wakeWordNames = /(?:^|[-_.])kws(?:[-_.]|$)/i
/** The names of families of recognisers, as whole words. */
const recogniserNames =
  /(?:^|[-_.])(?:asr|conformer|ctc|moonshine|nemo|paraformer|parakeet|sense-?voice|transducer|whisper|zipformer2?)(?:[-_.]|$)/i
const voiceNames =
  /(?:^|[-_.])(?:kitten|kokoro|matcha|pocket|supertonic|tts|vits|zipvoice)(?:[-_.]|$)/i
/** The rules of pronunciation, the voices, the vocoder and the parts of models that have several. */
const voiceFiles =
  /^(?:espeak-ng-data|voices|lm_main|vector_estimator)|vocos|vocoder|hifigan|\.onnx\.json$/

/**
 * Decides whether a model speaks, recognises speech or finds wake words, by the names that the published models for sherpa-onnx have. A
 * folder that is none of these counts as a voice, so only one of the readers reports it.
 * @param names the entries of the model's folder.
 */
export function modelKind(folderName: string, names: readonly string[]): ModelKind {
  if (wakeWordNames.test(folderName)) return 'wake-word'
  if (voiceNames.test(folderName) || names.some((name) => voiceFiles.test(name))) return 'voice'
  const models = names.filter((name) => /\.(?:onnx|ort)$/.test(name))
  const has = (part: string) => models.some((name) => name.includes(part))
  const isNamed = models.length > 0 && recogniserNames.test(folderName)
  return isNamed || has('joiner') || (has('encoder') && has('decoder')) ? 'recogniser' : 'voice'
}
