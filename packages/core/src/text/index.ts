/** Pure functions on text that is going to be spoken. */
export { cutLongText } from './long-text.ts'
export { speakableText } from './plain-speech.ts'
export {
  createSentenceCutter,
  type SentenceCutter,
  type SentenceCutterOptions,
} from './sentences.ts'
