import { isLocalHost } from '../../host.ts'
import type { Call, CallOptions } from '../../http/client-options.ts'
import type { HttpRequest } from '../../http/transport.ts'
import { badResponse, noAudio } from '../../protocol-errors.ts'
import { createStream, type Stream } from '../../streams/stream.ts'
import { type SpeechWarning, speechResultSchema } from '../../wire/speech.ts'
import { collectBytes } from '../collect-bytes.ts'
import { type EndpointContext, responseSource } from '../response-source.ts'
import { readTimestamps, type Timestamps } from './timestamps.ts'

/** The files of a text that was spoken. */
export interface SpeechFiles {
  /** The bytes of the audio file, which can be requested several times. */
  audio(options?: CallOptions): Stream<Uint8Array, Uint8Array>
  /** `undefined` unless the request asked for times, and the voice reports them. */
  timestamps(options?: CallOptions): Promise<Timestamps | undefined>
  /** What the voice does not speak as expected. Only the local service says so. */
  warnings: readonly SpeechWarning[]
}

/** Their addresses, as the service names them, and its warnings. */
interface NamedFiles {
  audioUri?: string | null | undefined
  timestampsUri?: string | null | undefined
  warnings?: SpeechWarning[] | null | undefined
}

/** @param requestId of the response that has named the files. */
export function readFiles(
  context: EndpointContext,
  { audioUri, timestampsUri, warnings }: NamedFiles,
  { requestId, callOf }: { requestId: string; callOf(options?: CallOptions): Call },
): SpeechFiles {
  return {
    warnings: warnings ?? [],
    audio(options) {
      const call = callOf(options)
      const uri = checkUri(context, audioUri, { what: call.what, requestId })
      return audioFile(context, uri, call)
    },
    async timestamps(options) {
      if (!timestampsUri) return undefined
      const call = callOf(options)
      const uri = checkUri(context, timestampsUri, { what: call.what, requestId })
      const { data } = await context.transport.sendForJson(
        speechResultSchema,
        fileRequest(uri),
        call,
      )
      return readTimestamps(data.timestampInfo)
    },
  }
}

function audioFile(
  context: EndpointContext,
  uri: string,
  call: Call,
): Stream<Uint8Array, Uint8Array> {
  const { maxResponseBytes } = context.options
  let requestId: string | undefined
  const source = responseSource<Uint8Array>(
    context,
    fileRequest(uri),
    call,
    async (response, deliver) => {
      requestId = response.requestId
      let hasAudio = false
      await response.consume((bytes) => {
        hasAudio ||= bytes.length > 0
        deliver(bytes)
      })
      if (!hasAudio) throw noAudio(response)
    },
  )
  const { signal, what } = call
  const file: Stream<Uint8Array, Uint8Array> = {
    ...createStream(source, { what: 'speech', signal, toBytes: (bytes) => bytes }),
    collect: () => collectBytes(file, what, maxResponseBytes),
    get requestId() {
      return requestId
    },
  }
  return file
}

/** The address is signed: with the key, storage of others would learn the key, and some would reject the request. */
export function fileRequest(uri: string): HttpRequest {
  return { method: 'GET', path: new URL(uri).pathname, fileUrl: uri }
}

/** @throws {ProtocolError} for a file that the service does not name, or names so that others could read it in transit. */
export function checkUri(
  { options }: EndpointContext,
  uri: string | null | undefined,
  request: { what: string; requestId: string },
): string {
  if (!uri) throw noAudio(request)
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  const isClear = url?.protocol === 'http:' && (isLocalHost(url.hostname) || options.allowInsecure)
  if (url && (url.protocol === 'https:' || isClear)) return uri
  throw badResponse(request, 'the address of a file is not one with https:')
}
