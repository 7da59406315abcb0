import { createRedactor } from '@parlando/core/wire'
import { ServiceError } from '../../errors.ts'
import { readLimitedText } from '../../remote/read-response.ts'
import { readFailure, toEngineError } from '../../remote/server-failure.ts'
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

export interface ServerOptions {
  /** Base URL of the API, or the address of its endpoint, such as `http://127.0.0.1:8080/inference`. */
  baseUrl: string
  /** Only sent to `baseUrl`. Default: none. */
  apiKey?: string
  /** Maximum time for an utterance, in milliseconds. It includes the time to load a model. Default: 240,000. */
  timeLimitMs?: number
}

type ResponseFormat = 'json' | 'verbose_json'

const maxResponseBytes = 4 * 1024 * 1024

export function createTranscriptionServer(options: ServerOptions): TranscriptionServer {
  const { apiKey = '', timeLimitMs = 240_000 } = options
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const subject = `The recognition server, ${baseUrl},`
  const server = { subject, option: '--transcription-upstream', apiKey }
  const redact = createRedactor([apiKey])
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
  let addresses = addressesOf(baseUrl)
  const modelsWithoutWords = new Set<string>()

  /** Sends the form to the first address that exists, and remembers it if the request succeeds. */
  const post = async (form: Response, signal: AbortSignal): Promise<Response> => {
    // As bytes: if `fetch` encodes a form itself, an abort causes an unhandled rejection.
    const body = await form.arrayBuffer()
    const type = { 'content-type': form.headers.get('content-type') ?? '' }
    let missing: Response | undefined
    for (const address of addresses) {
      // A redirect could send the key to another server.
      const init = { method: 'POST', body, signal, redirect: 'manual' } as const
      const response = await fetch(address, { ...init, headers: { ...headers, ...type } })
      if (response.status !== 404 && response.status !== 405) {
        // An error may come from a proxy while the server starts, and says nothing about the address.
        if (response.ok) addresses = [address]
        await missing?.body?.cancel()
        return response
      }
      if (missing) await response.body?.cancel()
      missing ??= response
    }
    return missing!
  }

  const send = async (
    upload: TranscriptionUpload,
    format: ResponseFormat,
    signal: AbortSignal,
  ): Promise<RecognisedUtterance> => {
    const response = await post(toForm(upload, format), signal)
    if (!response.ok) throw await readFailure(response, server)
    const body = redact(await readLimitedText(response, maxResponseBytes))
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    try {
      return readTranscript(body, { isEvents, withWords: upload.withWords })
    } catch (error) {
      throw new ServiceError('INTERNAL', `${subject} ${(error as Error).message}`, 502)
    }
  }

  const sendWithFallback = async (upload: TranscriptionUpload, signal: AbortSignal) => {
    const { model } = upload
    if (!upload.withWords || modelsWithoutWords.has(model)) return send(upload, 'json', signal)
    try {
      return await send(upload, 'verbose_json', signal)
    } catch (error) {
      if (!isRejected(error)) throw error
      const utterance = await send(upload, 'json', signal)
      modelsWithoutWords.add(model)
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
      const response = await fetch(`${baseUrl}/models`, { headers, signal, redirect: 'manual' })
      const { data } = JSON.parse(await readLimitedText(response, maxResponseBytes)) as {
        data: { id?: unknown }[]
      }
      return data.flatMap(({ id }) => (typeof id === 'string' && id ? [id] : []))
    },
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
  if (format === 'verbose_json') form.append('timestamp_granularities[]', 'word')
  return new Response(form)
}

/** Whether the server does not accept the request: 400, or 422 from servers that check it against a schema. */
function isRejected(error: unknown): boolean {
  return error instanceof ServiceError && [400, 422].includes(error.httpStatus)
}
