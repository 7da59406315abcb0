/**
 * The protocol between client and service: its only definition.
 * @internal Until 1.0, these exports may change in any release.
 */
export * from './audio-config.ts'
export * from './audio-encodings.ts'
export * from './audio-speech.ts'
export * from './audio-transcription.ts'
export * from './chat-completion.ts'
export { parseJson, readNumber } from './decode.ts'
export * from './local-model.ts'
export * from './models.ts'
export * from './operation.ts'
export { parseInWords } from './parse-in-words.ts'
export {
  codeOfHttpStatus,
  type Problem,
  problemSchema,
  readProblem,
  type StatusCode,
  statusCodes,
} from './problem.ts'
export * from './pronunciation.ts'
export * from './realtime-client-events.ts'
export * from './realtime-item.ts'
export * from './realtime-server-events.ts'
export * from './realtime-session.ts'
export * from './redact.ts'
export * from './speech.ts'
export * from './speech-socket-messages.ts'
export * from './tool-calls.ts'
export * from './transcription.ts'
export * from './voices.ts'
export * from './wake-word.ts'
