import { EngineError } from '../../errors/engine-error.ts'
import { problemText } from '../../remote/read-response.ts'
import { audioFormat } from '../../remote/wyoming/event.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import {
  type WakeWordDetection,
  type WakeWordRequest,
  type WakeWordStream,
  wakeWordRateHertz,
} from '../wake-word-detector.ts'

// A server that reports without end.
const maxWaitingDetections = 100
// The times of detections are those of chunks.
const chunkSamples = wakeWordRateHertz / 10
const format = audioFormat(wakeWordRateHertz)
const samplesPerMs = wakeWordRateHertz / 1000
// wyoming-openwakeword reports a word again and again while it is in the window of the network.
const restMs = 1000

interface StreamOptions {
  address: string
  endLimitMs: number
  request: WakeWordRequest
  /** Aborted when the client has gone, or the detector is closed. */
  ending: AbortSignal
  release(): void
}

/** A stream of sound to the server, with a connection of its own. */
export class WyomingStream implements WakeWordStream {
  readonly #connection: WyomingConnection
  readonly #options: StreamOptions
  readonly #found: WakeWordDetection[] = []
  readonly #reading: Promise<void>
  #samplesSent = 0
  #restUntilMs = 0
  #failure: unknown
  #onEnd = () => {}

  constructor(connection: WyomingConnection, options: StreamOptions) {
    this.#connection = connection
    this.#options = options
    options.ending.addEventListener('abort', this.#closeNow, { once: true })
    this.#reading = this.#read().catch((error: unknown) => {
      this.#failure = error
      this.#onEnd()
    })
  }

  /** @param name of the model, as the server names it. */
  async begin(name: string): Promise<void> {
    await this.#attempt(async () => {
      await this.#connection.send({ type: 'detect', data: { names: [name] } })
      await this.#connection.send({ type: 'audio-start', data: { ...format, timestamp: 0 } })
    })
  }

  push(samples: Int16Array): Promise<WakeWordDetection[]> {
    return this.#attempt(async () => {
      for (let from = 0; from < samples.length; from += chunkSamples) {
        await this.#sendChunk(samples.subarray(from, from + chunkSamples))
      }
    })
  }

  end(): Promise<WakeWordDetection[]> {
    return this.#attempt(async () => {
      await this.#connection.send({ type: 'audio-stop', data: { timestamp: this.#sentMs } })
      const ended = new Promise<void>((resolve) => (this.#onEnd = resolve))
      const limit = setTimeout(() => this.#onEnd(), this.#options.endLimitMs)
      await Promise.race([ended, this.#reading]).finally(() => clearTimeout(limit))
    })
  }

  close(): void {
    this.#options.ending.removeEventListener('abort', this.#closeNow)
    this.#connection.destroy()
    this.#options.release()
  }

  readonly #closeNow = () => this.close()

  get #sentMs(): number {
    return Math.round(this.#samplesSent / samplesPerMs)
  }

  async #sendChunk({ buffer, byteOffset, byteLength, length }: Int16Array): Promise<void> {
    const data = { ...format, timestamp: this.#sentMs }
    this.#samplesSent += length
    const payload = new Uint8Array(buffer, byteOffset, byteLength)
    await this.#connection.send({ type: 'audio-chunk', data, payload })
  }

  /** @throws when the server fails, or closes the connection. */
  async #read(): Promise<never> {
    for await (const { type, data } of this.#connection.events) {
      if (type === 'error')
        throw new Error(`it reports an error: ${problemText({ message: data['text'] })}`)
      if (type === 'not-detected') this.#onEnd()
      if (type === 'detection') this.#noteDetection(data['timestamp'])
    }
    throw new Error('it closed the connection')
  }

  #noteDetection(timestamp: unknown): void {
    if (this.#found.length >= maxWaitingDetections) return
    const sentMs = this.#sentMs
    const endMs = typeof timestamp === 'number' ? Math.min(timestamp, sentMs) : sentMs
    const [phrase] = this.#options.request.phrases
    if (endMs >= this.#restUntilMs) this.#found.push({ phrase: phrase!, endMs })
    this.#restUntilMs = endMs + restMs
  }

  async #attempt(step: () => Promise<void>): Promise<WakeWordDetection[]> {
    const { address, request, ending } = this.#options
    request.signal.throwIfAborted()
    try {
      ending.throwIfAborted()
      if (this.#failure) throw this.#failure
      await step()
      return this.#found.splice(0)
    } catch (error) {
      this.close()
      request.signal.throwIfAborted()
      throw toError(address, ending.aborted ? ending.reason : (this.#failure ?? error))
    }
  }
}

export function toError(address: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const { message } = error as Error
  return new EngineError(
    'unavailable',
    `The Wyoming server, ${address}, failed: ${message}. Check that it runs`,
    { cause: error },
  )
}
