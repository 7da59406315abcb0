import { toLangCode } from '@parlando/core/text'
import { z } from 'zod'
import { EngineError } from '../../errors/engine-error.ts'
import { problemText } from '../../remote/read-response.ts'
import { createDescribedList } from '../../remote/wyoming/described-list.ts'
import { audioFormat } from '../../remote/wyoming/event.ts'
import { openConnection, readAddress } from '../../remote/wyoming/open-connection.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import {
  type DetectorModel,
  defineWakeWordDetector,
  type WakeWordDetection,
  type WakeWordDetector,
  type WakeWordRequest,
  type WakeWordStream,
  wakeWordRateHertz,
} from '../wake-word-detector.ts'
import { createWakeWordSlots } from '../wake-word-slots.ts'

export interface WyomingDetectorOptions {
  /** Such as `tcp://192.168.1.5:10400`. */
  address: string
  /** How long the server may take after the end of the sound. One that has found a word reports no end. Default: 1 s. */
  endLimitMs?: number
  /** Receives the reason if the models cannot be listed. */
  warn(message: string): void
}

/** A model as the server names it. */
interface ServerModel extends DetectorModel {
  serverName: string
}

const usualPort = 10_400
const maxStreams = 32
// A server that reports without end.
const maxWaitingDetections = 100
// The times of detections are those of chunks.
const chunkSamples = wakeWordRateHertz / 10
const format = audioFormat(wakeWordRateHertz)
const samplesPerMs = wakeWordRateHertz / 1000
// wyoming-openwakeword reports a word again and again while it is in the window of the network.
const restMs = 1000

const modelSchema = z.looseObject({
  name: z.string().min(1),
  phrase: z.string().nullish().catch(undefined),
  description: z.string().nullish().catch(undefined),
  installed: z.boolean().nullish(),
  languages: z.array(z.string()).nullish().catch(undefined),
})
const programSchema = z.looseObject({
  installed: z.boolean().nullish(),
  models: z.array(modelSchema).nullish(),
})
const infoSchema = z.looseObject({ wake: z.array(programSchema).nullish() })

/** A Wyoming server that finds wake words. Each stream has a connection of its own. */
export async function createWyomingDetector(
  options: WyomingDetectorOptions,
): Promise<WakeWordDetector> {
  const { address, endLimitMs = 1_000, warn } = options
  const closing = new AbortController()
  const slots = createWakeWordSlots(maxStreams)
  const models = createDescribedList({
    open: (signal) => openConnection(address, signal),
    read: readModels,
    warn: (reason) =>
      warn(`The wake words of ${address} are not offered until they can be listed. ${reason}`),
  })
  await models.refresh()

  return {
    name: 'wyoming',
    get models() {
      return models.list().map(({ serverName: _, ...model }) => model)
    },
    async open(request) {
      const model = models.list().find(({ modelId }) => modelId === request.modelId)
      const ending = AbortSignal.any([request.signal, closing.signal])
      const release = await slots.acquire(request.signal)
      let connection: WyomingConnection | undefined
      try {
        connection = await openConnection(address, ending)
        ending.throwIfAborted()
        const about = { address, endLimitMs, request, ending, release }
        const stream = new WyomingStream(connection, about)
        await stream.begin(model?.serverName ?? '')
        return stream
      } catch (error) {
        connection?.destroy()
        release()
        request.signal.throwIfAborted()
        throw toError(address, error)
      }
    },
    async close() {
      closing.abort(new Error('the service is stopping'))
      models.close()
    },
  }
}

function readModels(info: unknown): ServerModel[] {
  const programs = (infoSchema.parse(info).wake ?? []).filter(
    ({ installed }) => installed !== false,
  )
  const models = programs.flatMap((program) => program.models ?? [])
  return models
    .filter(({ installed }) => installed !== false)
    .map(({ name, phrase, description, languages }) => ({
      serverName: name,
      modelId: `wyoming/${name}`,
      displayName: description || name,
      langCodes: [...new Set((languages ?? []).map(toLangCode))].filter((code) => code !== 'AUTO'),
      // Names of openWakeWord end with a version: hey_jarvis_v0.1.
      phrases: [phrase || name.replace(/_v?[\d.]+$/, '').replaceAll('_', ' ')],
      isRough: false,
    }))
}

interface StreamOptions {
  address: string
  endLimitMs: number
  request: WakeWordRequest
  /** Aborted when the client has gone, or the detector is closed. */
  ending: AbortSignal
  release(): void
}

class WyomingStream implements WakeWordStream {
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

function toError(address: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const { message } = error as Error
  return new EngineError(
    'unavailable',
    `The Wyoming server, ${address}, failed: ${message}. Check that it runs`,
    { cause: error },
  )
}

/** A server of the Wyoming protocol that finds wake words, such as wyoming-openwakeword. */
export const wyoming = defineWakeWordDetector({
  name: 'wyoming',
  options: {
    wyomingWakeWords: {
      placeholder: 'ADDRESS',
      help: 'address of a Wyoming server that finds wake words, such as tcp://192.168.1.5:10400',
      read: (text) => readAddress(text, usualPort),
    },
  },
  start: ({ options: { wyomingWakeWords: address }, warn }) =>
    address ? createWyomingDetector({ address, warn }) : undefined,
})
