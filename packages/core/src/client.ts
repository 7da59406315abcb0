import { listVoices, type VoiceList } from './endpoints/list-voices.ts'
import { type Speech, synthesize } from './endpoints/synthesize.ts'
import { type SpeechStream, synthesizeStream } from './endpoints/synthesize-stream.ts'
import { type ClientOptions, resolveOptions } from './options.ts'
import { createTransport } from './transport.ts'
import type { SpeechRequest } from './wire/speech.ts'
import type { VoiceListRequest } from './wire/voices.ts'

export interface CallOptions {
  /** Ends the call; it then throws the signal's own reason. */
  signal?: AbortSignal
}

/**
 * A client for one service, with connections of its own that `close` ends.
 *
 * Every call throws `InputError` for a request that is not valid, `ConnectionError` or `TimeoutError` when there is
 * no (whole) answer, `ApiError` when the service refuses and `ProtocolError` when the answer makes no sense.
 */
export interface Client {
  /** Speaks one utterance and gives all of it at once. */
  synthesize(request: SpeechRequest, options?: CallOptions): Promise<Speech>
  /** Speaks one utterance and gives the audio as it is made. */
  synthesizeStream(request: SpeechRequest, options?: CallOptions): SpeechStream
  /** Lists voices to speak with. */
  listVoices(request?: VoiceListRequest, options?: CallOptions): Promise<VoiceList>
  /** Ends every call and closes every connection. */
  close(): Promise<void>
}

/** @throws {InputError} when an option is not valid. */
export function createClient(clientOptions: ClientOptions): Client {
  const options = resolveOptions(clientOptions)
  const transport = createTransport(options)
  return {
    synthesize: (request, { signal } = {}) => synthesize(transport, request, signal),
    synthesizeStream: (request, { signal } = {}) =>
      synthesizeStream(transport, options, request, signal),
    listVoices: (request, { signal } = {}) => listVoices(transport, request, signal),
    close: () => transport.close(),
  }
}
