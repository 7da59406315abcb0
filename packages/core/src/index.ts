export type { Client } from './client.ts'
export { createClient } from './client.ts'
export type { AudioStream } from './endpoints/audio-stream.ts'
export type { ChatModelList, ChatResult } from './endpoints/chat/chat.ts'
export type { ChatDelta } from './endpoints/chat/chat-reply.ts'
export type { ChatStream } from './endpoints/chat/chat-stream.ts'
export type { ChatAudio, ChatUsage } from './endpoints/chat/message.ts'
export type {
  LocalModelInstallation,
  LocalModelList,
} from './endpoints/local-models/local-models.ts'
export type {
  RealtimeConversation,
  RealtimeOptions,
} from './endpoints/realtime/realtime.ts'
export type { RealtimeAudio, RealtimeEvent } from './endpoints/realtime/realtime-event.ts'
export type { UnheardSpeech } from './endpoints/realtime/response-playback.ts'
export type {
  SpeechJobProgress,
  SpeechJobWait,
  SynthesisJob,
} from './endpoints/speech/job.ts'
export type { SpeechContext } from './endpoints/speech/speech-context.ts'
export type { SpeechInput as SpeechRequest } from './endpoints/speech/speech-input.ts'
export type {
  BatchResult,
  FinishedBatch,
  FinishedSpeech,
  SpeechBatchInput as SpeechBatch,
} from './endpoints/speech/speech-job.ts'
export type { SpeechUsage } from './endpoints/speech/speech-report.ts'
export type { SpeechResult } from './endpoints/speech/speech-result.ts'
export type {
  SpeechContextInput as SpeechContextSettings,
  SpeechContextOptions,
  SpeechSocket,
} from './endpoints/speech/speech-socket.ts'
export type { OpenAiSpeech } from './endpoints/speech/synthesize-openai.ts'
export type { SpeechStream } from './endpoints/speech/synthesize-stream.ts'
export type { TimedPhone, TimedText, TimedWord, Timestamps } from './endpoints/speech/timestamps.ts'
export type { AudioFormat, SpeechChunk } from './endpoints/speech/utterance-audio.ts'
export type {
  Transcription,
  TranscriptionModelList,
  TranscriptionRequest,
} from './endpoints/transcription/transcribe.ts'
export type {
  TranscriptionStream,
  TranscriptionStreamConfig,
} from './endpoints/transcription/transcribe-stream.ts'
export type {
  TranscribedWord,
  Transcript,
  TranscriptionUsage,
} from './endpoints/transcription/transcript.ts'
export type { TranscriptionEvent } from './endpoints/transcription/transcription-event.ts'
export type { SampleRemark, VoiceClone, VoiceCloneRequest } from './endpoints/voices/clone-voice.ts'
export type { DesignedVoice, VoiceDesign } from './endpoints/voices/design-voice.ts'
export type { VoiceList } from './endpoints/voices/list-voices.ts'
export type {
  VoicePreview,
  VoicePreviewInput as VoicePreviewRequest,
} from './endpoints/voices/preview-voice.ts'
export type { VoicePublicationRequest, VoiceUpdateRequest } from './endpoints/voices/voice.ts'
export type {
  WakeWordAudioStream,
  WakeWordEvent,
  WakeWordModelList,
  WakeWordStreamConfig,
} from './endpoints/wake-words/find-wake-words.ts'
export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  InputError,
  ParlandoError,
  ProtocolError,
  TimeoutError,
} from './errors.ts'
export type { CallOptions, ClientOptions, RetryInfo } from './http/client-options.ts'
export { type AddressResponse, openAddress } from './http/open-address.ts'
export type { DebugEvent } from './http/trace.ts'
export type { Stream } from './streams/stream.ts'
export {
  createSentenceCutter,
  type SentenceCutter,
  type SentenceCutterOptions,
} from './text/sentences.ts'
export type {
  AudioConfig,
  AudioEncoding,
  ChatMessage,
  ChatModel,
  ChatRequest,
  LocalModel,
  OpenAiSpeechRequest,
  RealtimeClientEvent,
  RealtimeFormat,
  RealtimeItem,
  RealtimeNewItem,
  RealtimeResponse,
  RealtimeResponseSettings,
  RealtimeServerEvent,
  RealtimeSession,
  RealtimeTool,
  RealtimeTurnDetection,
  SentenceMatch,
  SpeechModelId,
  SpeechWarning,
  Voice,
  VoiceDesignRequest,
  VoiceFile,
  VoiceListRequest,
  WakeWordModel,
} from './wire/index.ts'
export type { ToolCall, ToolCallDelta } from './wire/tool-calls.ts'
