import { createClient } from '@parlando/core'
import { fromPcmBytes } from '../../dsp/pcm.ts'
import type { Engine, PhraseRequest } from '../engine.ts'
import { toUpstreamError } from './upstream-error.ts'
import { createUpstreamVoices } from './upstream-voices.ts'
import { createUpstreamWords } from './upstream-words.ts'

export interface UpstreamEngineOptions {
  baseUrl: string
  /** Sent there and nowhere else. Default: none. */
  apiKey?: string
  /** Longest time for a phrase, in milliseconds. Default: 60,000, and as much as its sound may last. */
  timeLimitMs?: number
  /** Hears why the voices there cannot be listed. */
  warn(message: string): void
}

const sampleRateHertz = 24_000
const requestsAtATime = 4
const maxPhraseCharacters = 2000
// Speech takes a tenth of that; but a number is many words, and the server may begin with a breath.
const maxSecondsOf = (text: string) => 10 + text.length
const timeLimitMsOf = (text: string) => 60_000 + 1000 * maxSecondsOf(text)

/**
 * Another server of this same protocol, whose voices are spoken there. Its sound passes the same stages as that of any
 * engine, so pace, encoding and rate are made here; the text and the model go there, and nothing else of a request.
 * Where the server is away at the start, its voices are offered as soon as it is back.
 * @throws {Error} when the address is not one to send a key to.
 */
export async function createUpstreamEngine(options: UpstreamEngineOptions): Promise<Engine> {
  const { baseUrl, apiKey, warn } = options
  // Whoever asks this service tries again where that may help; both doing so would multiply.
  const client = createClient({ baseUrl, apiKey, retries: 0 })
  const voices = createUpstreamVoices(client, (reason) =>
    warn(`The voices of ${baseUrl} are not offered as long as they cannot be listed. ${reason}`),
  )
  await voices.refresh()

  return {
    name: 'upstream',
    sampleRateHertz,
    get voices() {
      return voices.list()
    },
    slots: requestsAtATime,
    timesWords: true,
    // A melody goes through a whole text, so a phrase is as long as the protocol takes at once.
    phraseLimits: {
      firstCharacters: maxPhraseCharacters,
      laterCharacters: maxPhraseCharacters,
      acrossSentences: true,
    },
    unsupportedReason: () => undefined,
    async speakPhrase({ voice, text, modelId, withWords, signal, onSound }: PhraseRequest) {
      try {
        const audioConfig = { audioEncoding: 'PCM', sampleRateHertz } as const
        const timestampType = withWords ? 'WORD' : undefined
        const request = { text, voiceId: voice, modelId, audioConfig, timestampType } as const
        const maxSeconds = maxSecondsOf(text)
        const words = createUpstreamWords({ text, maxSeconds })
        let seconds = 0
        const totalTimeoutMs = options.timeLimitMs ?? timeLimitMsOf(text)
        const stream = client.synthesizeStream(request, { signal, totalTimeoutMs })
        await stream.consume((chunk) => {
          if (stream.sampleRateHertz !== sampleRateHertz) {
            throw new Error(`It sends ${stream.sampleRateHertz} Hz instead of ${sampleRateHertz}`)
          }
          const samples = fromPcmBytes(chunk.audio)
          seconds += samples.length / sampleRateHertz
          // What is made waits for its listener in memory, so it must have an end.
          if (seconds > maxSeconds) {
            throw new Error(
              `It sends more than ${maxSeconds} s of sound for ${text.length} characters`,
            )
          }
          onSound({ samples, words: words.take(chunk.timestamps?.words ?? [], seconds) })
        })
      } catch (error) {
        throw signal.aborted ? signal.reason : toUpstreamError(error, baseUrl)
      }
    },
    async close() {
      voices.close()
      await client.close()
    },
  }
}
