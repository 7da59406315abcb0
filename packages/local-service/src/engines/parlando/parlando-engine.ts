import { ApiError, createClient } from '@parlando/core'
import { fromPcmBytes } from '../../audio/pcm.ts'
import type { Engine, PhraseRequest } from '../engine.ts'
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

const sampleRateHertz = 24_000
const maxConcurrentRequests = 4
const maxPhraseCharacters = 2000
// Normal speech takes a tenth of this, but a number is many words, and the server may start with a pause.
const maxSecondsOf = (text: string) => 10 + text.length
const timeLimitMsOf = (text: string) => 60_000 + 1000 * maxSecondsOf(text)

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
    sampleRateHertz,
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
    async speakPhrase({ voice, text, modelId, withWords, signal, onSound }: PhraseRequest) {
      voices.throwIfDown()
      try {
        const audioConfig = { audioEncoding: 'PCM', sampleRateHertz } as const
        const timestampType = withWords ? 'WORD' : undefined
        const request = { text, voiceId: voice, modelId, audioConfig, timestampType } as const
        const maxSeconds = maxSecondsOf(text)
        const words = createUpstreamWords({ text, maxSeconds })
        let seconds = 0
        const timeoutMs = options.timeLimitMs ?? timeLimitMsOf(text)
        const stream = client.synthesizeStream(request, { signal, timeoutMs })
        await stream.consume((chunk) => {
          if (stream.sampleRateHertz !== sampleRateHertz) {
            throw new Error(
              `it sends ${stream.sampleRateHertz} Hz instead of ${sampleRateHertz} Hz`,
            )
          }
          const samples = fromPcmBytes(chunk.audio)
          seconds += samples.length / sampleRateHertz
          // The audio is queued in memory for its listener, so it needs a limit.
          if (seconds > maxSeconds) {
            throw new Error(
              `it sends more than ${maxSeconds} s of audio for ${text.length} characters`,
            )
          }
          onSound({ samples, words: words.take(chunk.timestamps?.words ?? [], seconds) })
        })
      } catch (error) {
        if (signal.aborted) throw signal.reason
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
