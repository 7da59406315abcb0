import { type ChatResult, chat } from './endpoints/chat/chat.ts'
import { type ChatStream, chatStream } from './endpoints/chat/chat-stream.ts'
import { type ChatModelList, listChatModels } from './endpoints/chat/list-chat-models.ts'
import type { EndpointContext } from './endpoints/context.ts'
import type { SpeechInput } from './endpoints/speech/request.ts'
import type { SpeechResult } from './endpoints/speech/result.ts'
import { synthesize } from './endpoints/speech/synthesize.ts'
import { type OpenAiSpeech, synthesizeOpenAi } from './endpoints/speech/synthesize-openai.ts'
import { type SpeechStream, synthesizeStream } from './endpoints/speech/synthesize-stream.ts'
import {
  cloneVoice,
  type VoiceClone,
  type VoiceCloneRequest,
} from './endpoints/voices/clone-voice.ts'
import { deleteVoice } from './endpoints/voices/delete-voice.ts'
import { designVoice, type VoiceDesign } from './endpoints/voices/design-voice.ts'
import { getVoice } from './endpoints/voices/get-voice.ts'
import { listAllVoices } from './endpoints/voices/list-all-voices.ts'
import { listVoices, type VoiceList } from './endpoints/voices/list-voices.ts'
import { previewVoice, type VoicePreview } from './endpoints/voices/preview-voice.ts'
import { publishVoice, type VoicePublicationRequest } from './endpoints/voices/publish-voice.ts'
import { updateVoice, type VoiceUpdateRequest } from './endpoints/voices/update-voice.ts'
import { type Call, type CallOptions, createCall } from './http/call.ts'
import { type ClientOptions, resolveOptions } from './http/options.ts'
import { createTransport } from './http/transport.ts'
import type { OpenAiSpeechRequest } from './wire/audio-speech.ts'
import type { ChatRequest } from './wire/chat.ts'
import type {
  Voice,
  VoiceDesignRequest,
  VoiceListRequest,
  VoicePreviewRequest,
} from './wire/voices.ts'

/**
 * A client for one service, with connections of its own that `close` ends.
 *
 * Every call throws `InputError` for a request that is not valid, before any I/O; `ConnectionError` or `TimeoutError`
 * when there is no (whole) answer, `ApiError` when the service refuses and `ProtocolError` when the answer makes no
 * sense.
 */
export interface Client {
  /** Speaks one utterance and gives all of it at once. */
  synthesize(request: SpeechInput, options?: CallOptions): Promise<SpeechResult>
  /** Speaks one utterance and gives the audio as it is made. */
  synthesizeStream(request: SpeechInput, options?: CallOptions): SpeechStream
  /** Speaks by the OpenAI form of the service: raw bytes as they are made. */
  synthesizeOpenAi(request: OpenAiSpeechRequest, options?: CallOptions): OpenAiSpeech

  /** Lists voices to speak with: a page where `pageSize` is given, else all. */
  listVoices(request?: VoiceListRequest, options?: CallOptions): Promise<VoiceList>
  /** Goes through the voices of all pages; each page is asked for when it is needed. */
  listAllVoices(request?: VoiceListRequest, options?: CallOptions): AsyncGenerator<Voice, void>
  /** Reads one voice. @throws {ApiError} `NOT_FOUND` when there is none with this id. */
  getVoice(voiceId: string, options?: CallOptions): Promise<Voice>
  /** Changes what it names, and leaves the rest. */
  updateVoice(request: VoiceUpdateRequest, options?: CallOptions): Promise<Voice>
  /** Deletes a voice of one's own. */
  deleteVoice(voiceId: string, options?: CallOptions): Promise<void>
  /** Makes a voice from 5-15 s of recordings. Clone only a voice that you have the right to use. */
  cloneVoice(request: VoiceCloneRequest, options?: CallOptions): Promise<VoiceClone>
  /** Makes voices from a description; they vanish unless one is published. */
  designVoice(request: VoiceDesignRequest, options?: CallOptions): Promise<VoiceDesign>
  /** Keeps a designed voice. */
  publishVoice(request: VoicePublicationRequest, options?: CallOptions): Promise<Voice>
  /** A sample of the voice, for listening before choosing. */
  previewVoice(request: VoicePreviewRequest, options?: CallOptions): Promise<VoicePreview>

  /** Lets a language model answer and waits for the whole answer. */
  chat(request: ChatRequest, options?: CallOptions): Promise<ChatResult>
  /** Lets a language model answer and gives the answer as it is written. */
  chatStream(request: ChatRequest, options?: CallOptions): ChatStream
  /** Lists the language models. */
  listChatModels(options?: CallOptions): Promise<ChatModelList>

  /** Ends every call and closes every connection, except those of a `dispatcher` that the caller gave. */
  close(): Promise<void>
  /** The same as `close`, for `await using client = createClient(…)`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Makes a client; it connects when the first call is made. @throws {InputError} when an option is not valid. */
export function createClient(clientOptions: ClientOptions): Client {
  const options = resolveOptions(clientOptions)
  const transport = createTransport(options)
  const context: EndpointContext = { transport, options }

  /** An endpoint that returns its result at once, such as a stream: option errors are thrown. */
  const immediate =
    <Request, Result>(endpoint: Endpoint<Request, Result>) =>
    (request: Request, callOptions?: CallOptions) =>
      endpoint(context, request, createCall(options, callOptions))

  /** An endpoint that returns a promise: option errors reject it. */
  const promised =
    <Request, Result>(endpoint: Endpoint<Request, Promise<Result>>) =>
    async (request: Request, callOptions?: CallOptions) =>
      immediate(endpoint)(request, callOptions)

  return {
    synthesize: promised(synthesize),
    synthesizeStream: immediate(synthesizeStream),
    synthesizeOpenAi: immediate(synthesizeOpenAi),
    listVoices: promised(listVoices),
    listAllVoices: immediate(listAllVoices),
    getVoice: promised(getVoice),
    updateVoice: promised(updateVoice),
    deleteVoice: promised(deleteVoice),
    cloneVoice: promised(cloneVoice),
    designVoice: promised(designVoice),
    publishVoice: promised(publishVoice),
    previewVoice: promised(previewVoice),
    chat: promised(chat),
    chatStream: immediate(chatStream),
    listChatModels: (callOptions) => promised(listChatModels)(undefined, callOptions),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  }
}

type Endpoint<Request, Result> = (context: EndpointContext, request: Request, call: Call) => Result
