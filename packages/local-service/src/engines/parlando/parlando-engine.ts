import {
  ApiError,
  type Client,
  createClient,
  InputError,
  ParlandoError,
  TimeoutError,
} from '@parlando/core'
import { fromPcmBytes } from '../../audio/pcm.ts'
import { EngineError, type EngineErrorKind } from '../../errors/engine-error.ts'
import { BusyError, ServiceError } from '../../errors/service-error.ts'
import type { Engine, EngineVoice, PhraseRequest } from '../engine.ts'
import {
  maxConcurrentRequests,
  maxSecondsOf,
  remoteRateHertz,
  timeLimitMsOf,
} from '../remote/limits.ts'
import { createRemoteVoices, maxVoices, type RemoteVoices } from '../remote/remote-voices.ts'
import { createUpstreamWords } from './parlando-words.ts'

export interface UpstreamEngineOptions {
  baseUrl: string
  /** The key of that service, sent only to `baseUrl`. Default: none. */
  apiKey?: string
  /** Maximum time for a phrase, in milliseconds. Default: 60,000 plus the maximum duration of its audio. */
  timeLimitMs?: number
  /** Receives the reason if the voices cannot be listed. */
  warn(message: string): void
}

const maxPhraseCharacters = 2000

/**
 * Another service of the same protocol. It receives only the text, the voice and the model; rate, encoding and pace are
 * applied here, as for every engine. If the service is unreachable at the start, its voices are offered once it responds.
 * @throws {Error} if the key would be sent unencrypted to another machine.
 */
export async function createUpstreamEngine(options: UpstreamEngineOptions): Promise<Engine> {
  const { baseUrl, apiKey, warn } = options
  // The callers of this service retry. If it retried too, the attempts would multiply.
  const client = createClient({ baseUrl, apiKey, maxRetries: 0 })
  const voices = createUpstreamVoices(client, baseUrl, warn)
  await voices.refresh()

  return {
    name: 'upstream',
    sampleRateHertz: remoteRateHertz,
    get voices() {
      return voices.list()
    },
    get problem() {
      return voices.problem
    },
    slots: maxConcurrentRequests,
    timesWords: true,
    // The longest text that the protocol allows, so that the melody spans several sentences.
    phraseLimits: {
      firstCharacters: maxPhraseCharacters,
      laterCharacters: maxPhraseCharacters,
      acrossSentences: true,
    },
    unsupportedReason: () => undefined,
    async speakPhrase(request) {
      voices.throwIfDown()
      try {
        await speak(client, request, options.timeLimitMs ?? timeLimitMsOf(request.text))
      } catch (error) {
        request.signal.throwIfAborted()
        const failure = toUpstreamError(error, baseUrl)
        if (!ApiError.isInstance(error)) void voices.refresh()
        throw failure
      }
    },
    async close() {
      voices.close()
      await client.close()
    },
  }
}

/** @throws {Error} the error of the client, or that the service sends another rate, or too much audio or words. */
async function speak(client: Client, request: PhraseRequest, timeoutMs: number): Promise<void> {
  const { voice: voiceId, text, modelId, withWords, signal, onSound, onWarnings } = request
  const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: remoteRateHertz } as const
  const timestampType = withWords ? 'WORD' : undefined
  const asked = { text, voiceId, modelId, audioConfig, timestampType } as const
  const maxSeconds = maxSecondsOf(text)
  const words = createUpstreamWords({ text, maxSeconds })
  const stream = client.synthesizeStream(asked, { signal, timeoutMs })
  let seconds = 0
  await stream.consume((chunk) => {
    if (stream.sampleRateHertz !== remoteRateHertz) {
      throw new Error(`it sends ${stream.sampleRateHertz} Hz instead of ${remoteRateHertz} Hz`)
    }
    // They precede the sound, so that they can be in the header of a response.
    if (seconds === 0) onWarnings?.(stream.warnings)
    const samples = fromPcmBytes(chunk.audio)
    seconds += samples.length / remoteRateHertz
    if (seconds > maxSeconds) {
      throw new Error(`it sends more than ${maxSeconds} s of audio for ${text.length} characters`)
    }
    onSound({ samples, words: words.take(chunk.timestamps?.words ?? [], seconds) })
  })
}

/**
 * The voices of another service, under their own ids.
 * @param warn receives each new reason why they cannot be listed.
 */
function createUpstreamVoices(
  client: Client,
  baseUrl: string,
  warn: (reason: string) => void,
): RemoteVoices<EngineVoice> {
  return createRemoteVoices({
    subject: `The upstream service, ${baseUrl},`,
    warn,
    async read(signal) {
      const listed: EngineVoice[] = []
      try {
        for await (const voice of client.listAllVoices({}, { signal })) {
          listed.push({ name: voice.voiceId, langCode: voice.langCode || 'AUTO', voice })
          if (listed.length === maxVoices) break
        }
      } catch (error) {
        const { message } = error as Error
        throw new Error(`The voices of ${baseUrl} cannot be listed. ${message}`, { cause: error })
      }
      return listed
    },
  })
}

/**
 * Maps a failure of the upstream service. If the request caused the failure, the caller gets the response of the
 * upstream. A wrong upstream key becomes an internal error, because the key of the caller was right.
 */
function toUpstreamError(error: unknown, baseUrl: string): EngineError {
  const response = toResponse(error, baseUrl)
  return new EngineError(kindOf(response), response.message, { cause: error, response })
}

function kindOf({ code, httpStatus }: ServiceError): EngineErrorKind {
  if (code === 'DEADLINE_EXCEEDED') return 'timeout'
  return httpStatus < 500 && httpStatus !== 429 ? 'input' : 'unavailable'
}

function toResponse(error: unknown, baseUrl: string): ServiceError {
  const message = `The upstream service, ${baseUrl}: ${(error as Error).message}`
  if (InputError.isInstance(error)) return new ServiceError('INVALID_ARGUMENT', message)
  if (ApiError.isInstance(error)) {
    const { code, status, retryAfterMs } = error
    if (status < 400 || status > 599) {
      const unexpected = `The upstream service, ${baseUrl}, responds with status ${status}. Check --upstream; redirects are not followed`
      return new ServiceError('INTERNAL', unexpected, 502)
    }
    if (code !== 'UNAUTHENTICATED' && code !== 'PERMISSION_DENIED') {
      return status === 429 && retryAfterMs !== undefined
        ? new BusyError(message, Math.ceil(retryAfterMs / 1000))
        : new ServiceError(code, message, status)
    }
    const rejected = `The upstream service, ${baseUrl}, rejects the key of this service (${status}). Check --upstream-key`
    return new ServiceError('INTERNAL', rejected, 502)
  }
  if (TimeoutError.isInstance(error)) return new ServiceError('DEADLINE_EXCEEDED', message)
  if (ParlandoError.isInstance(error) && error.retryable)
    return new ServiceError('UNAVAILABLE', message)
  return new ServiceError('INTERNAL', message, 502)
}
