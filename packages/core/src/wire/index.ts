/**
 * The protocol between client and service: its only definition.
 * @internal Until 1.0, these exports may change in any release.
 */
export { type AudioConfig, audioConfigSchema } from './audio-config.ts'
export {
  type AudioEncoding,
  audioEncodings,
  defaultAudioConfig,
  sampleRatesHertz,
} from './audio-encodings.ts'
export {
  type OpenAiSpeechRequest,
  openAiSpeechRequestSchema,
  type SpeechFormat,
  speechFormats,
} from './audio-speech.ts'
export {
  type OpenAiTranscription,
  type OpenAiTranscriptionRequest,
  openAiTranscriptionEventSchema,
  openAiTranscriptionRequestSchema,
  openAiTranscriptionSchema,
  type TranscriptionFormat,
  transcriptionFormats,
} from './audio-transcription.ts'
export {
  type ChatMessage,
  type ChatRequest,
  type ChatTurn,
  chatChunkSchema,
  chatMessageSchema,
  chatRequestSchema,
  chatResponseSchema,
  chatTurnSchema,
  chatUsageSchema,
} from './chat.ts'
export { parseJson, readNumber } from './decode.ts'
export {
  type LocalModel,
  localModelInstallationSchema,
  localModelListSchema,
  localModelSchema,
} from './local-models.ts'
export {
  type ChatModel,
  chatModelListSchema,
  chatModelSchema,
} from './models.ts'

export {
  codeOfHttpStatus,
  type Problem,
  problemSchema,
  readProblem,
  type StatusCode,
  statusCodes,
} from './problem.ts'
export { parseInWords } from './problems.ts'
export { type RealtimeClientEvent, realtimeClientEventSchema } from './realtime-client-events.ts'
export {
  type RealtimeItem,
  type RealtimeNewItem,
  realtimeItemSchema,
  realtimeNewItemSchema,
} from './realtime-item.ts'
export {
  type RealtimeResponse,
  type RealtimeServerEvent,
  realtimeResponseSchema,
  realtimeServerEventSchema,
} from './realtime-server-events.ts'
export {
  type RealtimeFormat,
  type RealtimeResponseSettings,
  type RealtimeSession,
  type RealtimeTool,
  type RealtimeTurnDetection,
  realtimeFormats,
  realtimeResponseSettingsSchema,
  realtimeSessionSchema,
  realtimeToolSchema,
  realtimeTurnDetectionSchema,
} from './realtime-session.ts'
export { createRedactor, longestSpelling } from './redact.ts'
export {
  defaultSpeechModelId,
  type SpeechModelId,
  type SpeechRequest,
  type SpeechResponse,
  type SpeechWarning,
  speechModelIds,
  speechRequestSchema,
  speechResultSchema,
  speechWarningsHeader,
  timestampInfoSchema,
  usageSchema,
} from './speech.ts'
export {
  defaultBufferCharThreshold,
  type SpeechContextSettings,
  type SpeechSocketMessage,
  speechContextSchema,
  speechSocketLimits,
  speechSocketMessageSchema,
  speechSocketResponseSchema,
} from './speech-socket.ts'
export {
  defaultTranscriptionConfig,
  sentenceLimits,
  sentenceMatchSchema,
  type TranscribeConfig,
  type TranscribeStreamConfig,
  type TranscribeStreamMessage,
  type TranscribeStreamResult,
  type TranscriptionEncoding,
  type TranscriptionModel,
  type TranscriptionRequest,
  type TranscriptionResponse,
  transcribeConfigSchema,
  transcribeStreamConfigSchema,
  transcribeStreamMessageSchema,
  transcribeStreamResponseSchema,
  transcribeStreamResultSchema,
  transcriptionEncodings,
  transcriptionModelListSchema,
  transcriptionModelSchema,
  transcriptionRequestSchema,
  transcriptionResponseSchema,
  transcriptionUsageSchema,
  transcriptSchema,
} from './transcription.ts'
export {
  langCodeSchema,
  type Voice,
  type VoiceCloneBody,
  type VoiceDesignRequest,
  type VoiceListRequest,
  type VoicePreviewRequest,
  type VoiceUpdate,
  voiceCloneBodySchema,
  voiceCloneResponseSchema,
  voiceDesignRequestSchema,
  voiceDesignResponseSchema,
  voiceIdSchema,
  voiceListRequestSchema,
  voiceListSchema,
  voicePreviewRequestSchema,
  voicePreviewSchema,
  voicePublicationRequestSchema,
  voiceSchema,
  voiceUpdateRequestSchema,
  voiceUpdateSchema,
} from './voices.ts'
