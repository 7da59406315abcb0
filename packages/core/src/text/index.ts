/** Pure functions on text to speak: sentences, clauses, markup, scripts and languages. */
export { endsClause, unspacedClauseEnds } from './clauses.ts'
export { firstCharacters } from './first-characters.ts'
export {
  includesLanguage,
  isLanguageCode,
  isSameLanguage,
  languageOf,
  lookUpLanguage,
  toLangCode,
} from './languages.ts'
export { isLineEnd } from './line-end.ts'
export { cutLongText, piecesOfLongText } from './long-text.ts'
export { markupEnd } from './markup.ts'
export { speakableText, withoutMarkdown } from './plain-speech.ts'
export { PronouncedText, pronounce, type ReplacedWord } from './pronounced-text.ts'
export { type Pronunciation, type PronunciationMatch, Pronunciations } from './pronunciations.ts'
export { foreignScript, hasUnspacedScript } from './scripts.ts'
export { sentenceEnds } from './sentence-end.ts'
export {
  createSentenceCutter,
  type SentenceCutter,
  type SentenceCutterOptions,
} from './sentences.ts'
export { isSettledCut } from './settled-cut.ts'
export { hasSeveralWords, hasSpeakable, isJoiningWord } from './words.ts'
