/** Pure functions on audio bytes. */
export * from './duration.ts'
export * from './encodings.ts'
export { cutLongText } from './long-text.ts'
export * from './seamless.ts'
export * from './sentences.ts'
export * from './speakable-text.ts'
export * from './voice-sample.ts'
export * from './wav.ts'
