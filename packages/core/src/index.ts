export type { CallOptions, Client } from './client.ts'
export { createClient } from './client.ts'
export type { DebugEvent } from './debug.ts'
export type { VoiceList } from './endpoints/list-voices.ts'
export type { AudioFormat, Speech } from './endpoints/synthesize.ts'
export type { SpeechChunk, SpeechStream } from './endpoints/synthesize-stream.ts'
export type { TimedText, Timestamps } from './endpoints/timestamps.ts'
export type { Usage } from './endpoints/usage.ts'
export * from './errors.ts'
export type { ClientOptions } from './options.ts'
export type { RetryInfo } from './retry.ts'
export type {
  AudioConfig,
  AudioEncoding,
  SpeechRequest,
  Voice,
  VoiceListRequest,
} from './wire/index.ts'
