import { type ChatModelList, type ChatResult, chat, listChatModels } from './endpoints/chat/chat.ts'
import { type ChatStream, chatStream } from './endpoints/chat/chat-stream.ts'
import {
  cancelLocalModel,
  installLocalModel,
  type LocalModelInstallation,
  type LocalModelList,
  listLocalModels,
  removeLocalModel,
} from './endpoints/local-models/local-models.ts'
import {
  type RealtimeConversation,
  type RealtimeOptions,
  realtime,
} from './endpoints/realtime/realtime.ts'
import type { EndpointContext } from './endpoints/response-source.ts'
import { serviceVersion } from './endpoints/service/service-version.ts'
import type { SynthesisJob } from './endpoints/speech/job.ts'
import type { SpeechInput } from './endpoints/speech/speech-input.ts'
import {
  type FinishedBatch,
  type FinishedSpeech,
  type SpeechBatchInput,
  speechBatchJob,
  speechJob,
  synthesizeBatch,
  synthesizeLong,
} from './endpoints/speech/speech-job.ts'
import type { SpeechResult } from './endpoints/speech/speech-result.ts'
import { type SpeechSocket, speechSocket } from './endpoints/speech/speech-socket.ts'
import { synthesize } from './endpoints/speech/synthesize.ts'
import { type OpenAiSpeech, synthesizeOpenAi } from './endpoints/speech/synthesize-openai.ts'
import { type SpeechStream, synthesizeStream } from './endpoints/speech/synthesize-stream.ts'
import {
  listTranscriptionModels,
  type Transcription,
  type TranscriptionModelList,
  type TranscriptionRequest,
  transcribe,
} from './endpoints/transcription/transcribe.ts'
import {
  type TranscriptionStream,
  type TranscriptionStreamConfig,
  transcribeStream,
} from './endpoints/transcription/transcribe-stream.ts'
import {
  cloneVoice,
  type VoiceClone,
  type VoiceCloneRequest,
} from './endpoints/voices/clone-voice.ts'
import { designVoice, type VoiceDesign } from './endpoints/voices/design-voice.ts'
import { listAllVoices, listVoices, type VoiceList } from './endpoints/voices/list-voices.ts'
import {
  previewVoice,
  type VoicePreview,
  type VoicePreviewInput,
} from './endpoints/voices/preview-voice.ts'
import {
  deleteVoice,
  getVoice,
  publishVoice,
  updateVoice,
  type VoicePublicationRequest,
  type VoiceUpdateRequest,
} from './endpoints/voices/voice.ts'
import { exportVoice, importVoice } from './endpoints/voices/voice-file.ts'
import {
  findWakeWords,
  listWakeWordModels,
  type WakeWordAudioStream,
  type WakeWordModelList,
  type WakeWordStreamConfig,
} from './endpoints/wake-words/find-wake-words.ts'
import {
  type Call,
  type CallOptions,
  type ClientOptions,
  createCall,
  resolveOptions,
} from './http/client-options.ts'
import { createTransport } from './http/transport.ts'
import { Pronunciations } from './text/pronunciations.ts'
import type { OpenAiSpeechRequest } from './wire/audio-speech.ts'
import type { ChatRequest } from './wire/chat-completion.ts'
import type { LocalModel } from './wire/local-model.ts'
import type { RealtimeSession } from './wire/realtime-session.ts'
import type { Voice, VoiceDesignRequest, VoiceFile, VoiceListRequest } from './wire/voices.ts'

/**
 * A client for one service. It keeps connections open until `close`.
 *
 * Every call throws `InputError` for an invalid request, before any I/O; `ConnectionError` or `TimeoutError` if the
 * response is missing or incomplete; `ApiError` if the service rejects the request; and `ProtocolError` if the response
 * violates the protocol or a size limit.
 */
export interface Client {
  /** Synthesizes one utterance and returns the whole audio. */
  synthesize(request: SpeechInput, options?: CallOptions): Promise<SpeechResult>
  /** Synthesizes one utterance and streams the audio as it is generated. */
  synthesizeStream(request: SpeechInput, options?: CallOptions): SpeechStream
  /** Opens a connection that speaks texts while they are written. */
  speechSocket(options?: CallOptions): SpeechSocket
  /** Synthesizes through the OpenAI endpoint of the service and streams the bytes of the audio file. */
  synthesizeOpenAi(request: OpenAiSpeechRequest, options?: CallOptions): OpenAiSpeech

  /** Lets the service speak a text of up to 100,000 characters, which may take hours. Returns at once. */
  synthesizeLong(request: SpeechInput, options?: CallOptions): Promise<SynthesisJob<FinishedSpeech>>
  /** Lets the service speak up to 10,000 texts, each into a file. Returns at once. */
  synthesizeBatch(
    batch: SpeechBatchInput,
    options?: CallOptions,
  ): Promise<SynthesisJob<FinishedBatch>>
  /** The job of an earlier `synthesizeLong`, by its name. Asks nothing. */
  speechJob(name: string): SynthesisJob<FinishedSpeech>
  /** The job of an earlier `synthesizeBatch`, by its name. Asks nothing. */
  speechBatchJob(name: string): SynthesisJob<FinishedBatch>

  /** Lists voices: one page if `pageSize` is set, otherwise all. */
  listVoices(request?: VoiceListRequest, options?: CallOptions): Promise<VoiceList>
  /** Iterates over the voices of all pages and requests each page when the loop reaches it. */
  listAllVoices(request?: VoiceListRequest, options?: CallOptions): AsyncGenerator<Voice, void>
  /** Returns one voice. @throws {ApiError} `NOT_FOUND` if there is no voice with this id. */
  getVoice(voiceId: string, options?: CallOptions): Promise<Voice>
  /** Changes the given fields of a voice and keeps the others. */
  updateVoice(request: VoiceUpdateRequest, options?: CallOptions): Promise<Voice>
  /** Deletes a voice that belongs to the key. */
  deleteVoice(voiceId: string, options?: CallOptions): Promise<void>
  /** Creates a voice from 5–15 s of recordings. Clone only a voice that you have the right to use. */
  cloneVoice(request: VoiceCloneRequest, options?: CallOptions): Promise<VoiceClone>
  /** Returns a clone of a local service as a file. @throws {ApiError} `NOT_FOUND` from other services. */
  exportVoice(voiceId: string, options?: CallOptions): Promise<VoiceFile>
  /** Adds the clone of a file to a local service. @throws {ApiError} `NOT_FOUND` from other services. */
  importVoice(file: VoiceFile, options?: CallOptions): Promise<Voice>
  /** Creates temporary voices from a description; `publishVoice` keeps one. */
  designVoice(request: VoiceDesignRequest, options?: CallOptions): Promise<VoiceDesign>
  /** Makes a designed voice permanent. */
  publishVoice(request: VoicePublicationRequest, options?: CallOptions): Promise<Voice>
  /** Returns a sample of a voice. */
  previewVoice(request: VoicePreviewInput, options?: CallOptions): Promise<VoicePreview>

  /** Transcribes a recording and returns its text. */
  transcribe(request: TranscriptionRequest, options?: CallOptions): Promise<Transcription>
  /** Transcribes speech while it is spoken. */
  transcribeStream(config?: TranscriptionStreamConfig, options?: CallOptions): TranscriptionStream
  /** Lists the recognition models of the local service. @throws {ApiError} `NOT_FOUND` from services without this list. */
  listTranscriptionModels(options?: CallOptions): Promise<TranscriptionModelList>

  /** Finds wake words in the audio of a microphone. @throws {ApiError} `NOT_FOUND` at services that find none. */
  findWakeWords(config?: WakeWordStreamConfig, options?: CallOptions): WakeWordAudioStream
  /** Lists the wake word models of the local service. @throws {ApiError} `NOT_FOUND` from services without this list. */
  listWakeWordModels(options?: CallOptions): Promise<WakeWordModelList>

  /**
   * Lists the voices, recognisers and wake words that a local service can install on its machine.
   * @throws {ApiError} `NOT_FOUND` from services that do not install models.
   */
  listLocalModels(options?: CallOptions): Promise<LocalModelList>
  /** Begins to download and install a model. The list shows the progress. */
  installLocalModel(request: LocalModelInstallation, options?: CallOptions): Promise<LocalModel>
  /** Cancels the installation of a model. The parts of files that have arrived remain for the next attempt. */
  cancelLocalModel(name: string, options?: CallOptions): Promise<LocalModel>
  /** Deletes an installed model. */
  removeLocalModel(name: string, options?: CallOptions): Promise<LocalModel>

  /** Asks a language model and returns its whole response. */
  chat(request: ChatRequest, options?: CallOptions): Promise<ChatResult>
  /** Asks a language model and streams its response as it is generated. */
  chatStream(request: ChatRequest, options?: CallOptions): ChatStream
  /** Lists the language models. */
  listChatModels(options?: CallOptions): Promise<ChatModelList>

  /** Opens a spoken conversation with a language model. The settings have the names of the realtime API of OpenAI. */
  realtime(session?: RealtimeSession, options?: RealtimeOptions): RealtimeConversation

  /** The version of a local service. `undefined` from services that do not state one, such as hosted ones. */
  serviceVersion(options?: CallOptions): Promise<string | undefined>

  /** Ends every call and closes every connection. A given `dispatcher` stays open. */
  close(): Promise<void>
  /** The same as `close`, for `await using client = createClient(…)`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Creates a client, which connects on the first call. @throws {InputError} if an option is not valid. */
export function createClient(clientOptions: ClientOptions): Client {
  const options = resolveOptions(clientOptions)
  const transport = createTransport(options)
  const pronunciations = new Pronunciations(options.pronunciations)
  const context: EndpointContext = { transport, options, pronunciations, spare: {} }
  const { immediate, promised, withoutRequest } = methodsOf(context)

  return {
    synthesize: promised('Speech', synthesize),
    synthesizeStream: immediate('Speech', synthesizeStream),
    speechSocket: (callOptions) => immediate('Speech', speechSocket)(undefined, callOptions),
    synthesizeOpenAi: immediate('Speech', synthesizeOpenAi),
    synthesizeLong: promised('Long speech', synthesizeLong),
    synthesizeBatch: promised('Long speech', synthesizeBatch),
    speechJob: (name) => speechJob(context, name),
    speechBatchJob: (name) => speechBatchJob(context, name),
    listVoices: promised('Voice list', listVoices),
    listAllVoices: immediate('Voice list', listAllVoices),
    getVoice: promised('Voice', getVoice),
    updateVoice: promised('Voice update', updateVoice),
    deleteVoice: promised('Voice removal', deleteVoice),
    cloneVoice: promised('Voice clone', cloneVoice),
    exportVoice: promised('Voice export', exportVoice),
    importVoice: promised('Voice import', importVoice),
    designVoice: promised('Voice design', designVoice),
    publishVoice: promised('Voice publication', publishVoice),
    previewVoice: promised('Voice preview', previewVoice),
    transcribe: promised('Transcription', transcribe),
    transcribeStream: immediate('Transcription', transcribeStream),
    listTranscriptionModels: withoutRequest('Transcription model list', listTranscriptionModels),
    findWakeWords: immediate('Wake words', findWakeWords),
    listWakeWordModels: withoutRequest('Wake word model list', listWakeWordModels),
    listLocalModels: withoutRequest('Model list', listLocalModels),
    installLocalModel: promised('Model installation', installLocalModel),
    cancelLocalModel: promised('Model cancellation', cancelLocalModel),
    removeLocalModel: promised('Model removal', removeLocalModel),
    chat: promised('Chat', chat),
    chatStream: immediate('Chat', chatStream),
    listChatModels: withoutRequest('Model list', listChatModels),
    realtime(session = {}, { idleTimeoutMs, reconnect, ...callOptions } = {}) {
      const request = { session, options: { idleTimeoutMs, reconnect } }
      return immediate('Conversation', realtime)(request, callOptions)
    },
    serviceVersion: withoutRequest('Version', serviceVersion),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  }
}

type Endpoint<Request, Result> = (context: EndpointContext, request: Request, call: Call) => Result

/** Makes methods of endpoints. Each has the kind of its calls, such as `Voice list`. */
function methodsOf(context: EndpointContext) {
  const { options } = context

  /** An endpoint that returns its result at once, such as a stream: option errors are thrown. */
  const immediate =
    <Request, Result>(kind: string, endpoint: Endpoint<Request, Result>) =>
    (request: Request, callOptions?: CallOptions) =>
      endpoint(context, request, createCall(options, callOptions, kind))

  /** An endpoint that returns a promise: option errors reject it. */
  const promised =
    <Request, Result>(kind: string, endpoint: Endpoint<Request, Promise<Result>>) =>
    async (request: Request, callOptions?: CallOptions) =>
      immediate(kind, endpoint)(request, callOptions)

  /** The same without a request. */
  const withoutRequest =
    <Result>(kind: string, endpoint: Endpoint<undefined, Promise<Result>>) =>
    (callOptions?: CallOptions) =>
      promised(kind, endpoint)(undefined, callOptions)

  return { immediate, promised, withoutRequest }
}
