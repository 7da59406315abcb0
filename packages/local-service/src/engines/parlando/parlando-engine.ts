import { ApiError, type Client, createClient } from '@parlando/core'
import { fromPcmBytes } from '../../audio/pcm.ts'
import type { Engine, PhraseRequest } from '../engine.ts'
import {
  maxConcurrentRequests,
  maxSecondsOf,
  remoteRateHertz,
  timeLimitMsOf,
} from '../remote/limits.ts'
import { toUpstreamError } from './parlando-error.ts'
import { createUpstreamVoices } from './parlando-voices.ts'
import { createUpstreamWords } from './parlando-words.ts'

export interface UpstreamEngineOptions {
  baseUrl: string
  /** Only sent to `baseUrl`. Default: none. */
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
