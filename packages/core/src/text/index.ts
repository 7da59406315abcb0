/** Pure functions on text to speak: sentences, clauses, markup and scripts. */
export { endsClause, unspacedClauseEnds } from './clauses.ts'
export { isJoiningWord } from './joining-words.ts'
export { cutLongText } from './long-text.ts'
export { markupEnd } from './markup.ts'
export { speakableText } from './plain-speech.ts'
export { foreignScript, hasUnspacedScript } from './scripts.ts'
export { sentenceEnds } from './sentence-end.ts'
export {
  createSentenceCutter,
  type SentenceCutter,
  type SentenceCutterOptions,
} from './sentences.ts'
export { hasSpeakable } from './speakable.ts'
