import { setTimeout as wait } from 'node:timers/promises'
import type { Client, WakeWordAudioStream, WakeWordStreamConfig } from '@parlando/core'
import type { SpeechService } from '../../runtime/speech-service.ts'
import { bytesPerSecond } from '../microphone-recording.ts'

export interface WakeWordListenerOptions {
  service: SpeechService
  config: WakeWordStreamConfig
  /** The service waits for the phrases, from now on or again. */
  onWaiting(phrases: readonly string[]): void
  /**
   * Somebody has said the wake word. Not called if another microphone of the service, also one of another Node-RED, has just heard
   * the same word.
   * @param since The sound after the word, as far as it has arrived.
   */
  onWake(since: Buffer): void
  /** The service cannot wait for a wake word. The listener tries again by itself. */
  onProblem(error: unknown): void
  /** The time between two attempts. Default: 10 s. */
  retryMs?: number
}

/** Lets the service wait for the wake word in the sound of one microphone. */
export interface WakeWordListener {
  /** Takes whole samples. What arrives while the service does not wait is dropped. */
  push(pcm: Buffer): void
  /** Resolves when the connection is closed. */
  close(): Promise<void>
}

/** A service finds a word within this time after its end, or the beginning of the first sentence is lost. */
const keptBytes = 2 * bytesPerSecond
/** What waits for a service that is slower than the sound. */
const maxUnsentBytes = 5 * bytesPerSecond

/** Connects at once. */
export function createWakeWordListener(options: WakeWordListenerOptions): WakeWordListener {
  const { service, config, onProblem, retryMs = 10_000 } = options
  const closing = new AbortController()
  const { signal } = closing
  let waiting: WaitingStream | undefined

  const listen = async (client: Client) => {
    const stream = client.findWakeWords(config, { signal })
    try {
      for await (const event of stream) {
        if (event.type === 'waiting') {
          waiting = new WaitingStream(stream)
          options.onWaiting(event.phrases)
        } else if (event.type === 'detection' && event.isFirst) {
          options.onWake(waiting?.soundSince(event.endMs) ?? Buffer.alloc(0))
        }
      }
    } finally {
      waiting = undefined
      await stream.close()
    }
  }
  const run = async () => {
    while (!signal.aborted) {
      try {
        await service.use(signal, listen)
      } catch (error) {
        if (!signal.aborted) onProblem(error)
      }
      await wait(retryMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const listener: WakeWordListener = {
    push: (pcm) => waiting?.push(pcm),
    async close() {
      closing.abort()
      await running
    },
  }
  const running = run()
  return listener
}

/** A stream that has begun, and the latest sound in it: what somebody says right after the wake word. */
class WaitingStream {
  readonly #stream: WakeWordAudioStream
  readonly #latest: Buffer[] = []
  #latestBytes = 0
  #sentBytes = 0
  #unsentBytes = 0

  constructor(stream: WakeWordAudioStream) {
    this.#stream = stream
  }

  push(pcm: Buffer): void {
    if (this.#unsentBytes > maxUnsentBytes) return
    this.#sentBytes += pcm.length
    this.#unsentBytes += pcm.length
    const sent = () => {
      this.#unsentBytes -= pcm.length
    }
    // The loop over the stream receives the failure.
    this.#stream.write(pcm).then(sent, sent)
    this.#latest.push(pcm)
    this.#latestBytes += pcm.length
    while (this.#latestBytes - this.#latest[0]!.length >= keptBytes) {
      this.#latestBytes -= this.#latest.shift()!.length
    }
  }

  soundSince(endMs: number): Buffer {
    const endBytes = 2 * Math.round((endMs * bytesPerSecond) / 2000)
    const since = Math.max(0, this.#sentBytes - endBytes)
    const latest = Buffer.concat(this.#latest)
    return latest.subarray(Math.max(0, latest.length - since))
  }
}
