export {
  createSentenceCutter,
  type SentenceCutter,
  type SentenceCutterOptions,
} from './audio/sentences.ts'
export type { CallOptions } from './call-options.ts'
export type { Client } from './client.ts'
export { createClient } from './client.ts'
export type { DebugEvent } from './debug.ts'
export type { Chat } from './endpoints/chat.ts'
export type { ChatAudio, ChatUsage, ToolCall, ToolCallDelta } from './endpoints/chat-answer.ts'
export type { ChatDelta } from './endpoints/chat-record.ts'
export type { ChatStream } from './endpoints/chat-stream.ts'
export type { SampleRemark, VoiceClone, VoiceCloneRequest } from './endpoints/clone-voice.ts'
export type { DesignedVoice, VoiceDesign } from './endpoints/design-voice.ts'
export type { ChatModelList } from './endpoints/list-models.ts'
export type { VoiceList } from './endpoints/list-voices.ts'
export type { VoicePreview } from './endpoints/preview-voice.ts'
export type { VoicePublicationRequest } from './endpoints/publish-voice.ts'
export type { SpeechBytes } from './endpoints/speech-bytes.ts'
export type { AudioFormat } from './endpoints/speech-request.ts'
export type { SpeechChunk, SpeechStream } from './endpoints/speech-stream.ts'
export type { Speech } from './endpoints/synthesize.ts'
export type { TimedText, Timestamps } from './endpoints/timestamps.ts'
export type { VoiceUpdateRequest } from './endpoints/update-voice.ts'
export type { Usage } from './endpoints/usage.ts'
export * from './errors.ts'
export type { ClientOptions } from './options.ts'
export type { RetryInfo } from './retry.ts'
export type {
  AudioConfig,
  AudioEncoding,
  ChatMessage,
  ChatModel,
  ChatRequest,
  SpeechBytesRequest,
  SpeechRequest,
  Voice,
  VoiceDesignRequest,
  VoiceListRequest,
  VoicePreviewRequest,
} from './wire/index.ts'
