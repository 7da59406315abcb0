import { createRedactor } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import { createOpenAiClient, modelsIn, trimAddress } from '../../remote/openai-client.ts'
import { readLimitedText } from '../../remote/read-response.ts'
import { readFailure, type ServerName, toEngineError } from '../../remote/server-failure.ts'
import type { RecognisedUtterance } from '../recogniser.ts'
import { readTranscript } from './read-transcript.ts'

/** A server of the OpenAI API that recognises speech. */
export interface TranscriptionServer {
  /** @throws {EngineError} if the server cannot be reached or fails. After an abort, the signal's reason. */
  transcribe(request: TranscriptionUpload): Promise<RecognisedUtterance>
  /**
   * @returns the names of all its models, also of those that do not recognise speech.
   * @throws {Error} if it has no list.
   */
  listModels(signal: AbortSignal): Promise<readonly string[]>
}

export interface TranscriptionUpload {
  /** 16 kHz, mono: the only format that every server reads. */
  wav: Uint8Array<ArrayBuffer>
  model: string
  /** Without a region, such as `en`. Default: the server detects it. */
  language?: string
  prompt?: string
  withWords: boolean
  signal: AbortSignal
}

export interface UpstreamOptions {
  /** Base URL of the API, or the address of its endpoint, such as `http://127.0.0.1:8080/inference`. */
  baseUrl: string
  /** The key of that server, sent only to `baseUrl`. Default: none. */
  apiKey?: string
  /** Maximum time for an utterance, in milliseconds. It includes the time to load a model. Default: 240,000. */
  timeLimitMs?: number
}

type ResponseFormat = 'json' | 'verbose_json'

const maxResponseBytes = 4 * 1024 * 1024

export function createTranscriptionServer(options: UpstreamOptions): TranscriptionServer {
  const { apiKey = '', timeLimitMs = 240_000 } = options
  const baseUrl = trimAddress(options.baseUrl)
  const subject = `The recognition server, ${baseUrl},`
  const server = { subject, option: '--transcription-upstream', apiKey }
  const api = createOpenAiClient([baseUrl], server)
  const send = createSender(baseUrl, server)
  const modelsWithoutDetails = new Set<string>()

  const sendWithFallback = async (upload: TranscriptionUpload, signal: AbortSignal) => {
    const { model, language, withWords } = upload
    // Only the details name the language that the server has detected.
    const wantsDetails = withWords || language === undefined
    if (!wantsDetails || modelsWithoutDetails.has(model)) return send(upload, 'json', signal)
    try {
      return await send(upload, 'verbose_json', signal)
    } catch (error) {
      if (!isRejected(error)) throw error
      const utterance = await send(upload, 'json', signal)
      modelsWithoutDetails.add(model)
      return utterance
    }
  }

  return {
    async transcribe(upload) {
      const { signal } = upload
      const limit = AbortSignal.timeout(timeLimitMs)
      try {
        return await sendWithFallback(upload, AbortSignal.any([signal, limit]))
      } catch (error) {
        signal.throwIfAborted()
        throw toEngineError(error, server, limit.aborted ? timeLimitMs : undefined)
      }
    },
    async listModels(signal) {
      return modelsIn(await api.readList('/models', signal)).map(({ id }) => id)
    },
  }
}

/** @returns a function that sends one request, and reads its response. */
function createSender(baseUrl: string, server: ServerName) {
  const endpoint = createOpenAiClient(addressesOf(baseUrl), server)
  const redact = createRedactor([server.apiKey ?? ''])
  return async (
    upload: TranscriptionUpload,
    format: ResponseFormat,
    signal: AbortSignal,
  ): Promise<RecognisedUtterance> => {
    const form = toForm(upload, format)
    // If `fetch` encodes a form itself, an abort causes an unhandled rejection.
    const body = await form.arrayBuffer()
    const headers = { 'content-type': form.headers.get('content-type') ?? '' }
    const response = await endpoint.send('', { method: 'POST', headers, body, signal })
    if (!response.ok) throw await readFailure(response, server)
    const transcript = redact(await readLimitedText(response, maxResponseBytes))
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    try {
      return readTranscript(transcript, { isEvents, withWords: upload.withWords })
    } catch (error) {
      throw new ServiceError('INTERNAL', `${server.subject} ${(error as Error).message}`, 502)
    }
  }
}

/** Where the endpoint may be: with and without `/v1` in the base URL, and the path of whisper.cpp. */
function addressesOf(baseUrl: string): readonly string[] {
  if (/\/(?:inference|transcriptions)$/.test(baseUrl)) return [baseUrl]
  return ['/audio/transcriptions', '/v1/audio/transcriptions', '/inference'].map(
    (path) => baseUrl + path,
  )
}

/** @returns the encoded form and its content type. */
function toForm(upload: TranscriptionUpload, format: ResponseFormat): Response {
  const form = new FormData()
  // Some servers choose the decoder by the extension.
  form.append('file', new Blob([upload.wav], { type: 'audio/wav' }), 'speech.wav')
  form.append('model', upload.model)
  form.append('response_format', format)
  if (upload.language) form.append('language', upload.language)
  if (upload.prompt) form.append('prompt', upload.prompt)
  if (format === 'verbose_json' && upload.withWords) {
    form.append('timestamp_granularities[]', 'word')
  }
  return new Response(form)
}

/** Whether the server does not accept the request: 400, or 422 from servers that check it against a schema. */
function isRejected(error: unknown): boolean {
  return error instanceof ServiceError && [400, 422].includes(error.httpStatus)
}
