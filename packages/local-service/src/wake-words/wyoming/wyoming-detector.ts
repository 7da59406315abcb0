import { createWakeWordSlots } from '../../recognisers/listening-slots.ts'
import { createDescribedList } from '../../remote/wyoming/described-list.ts'
import { openConnection, readAddress } from '../../remote/wyoming/open-connection.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import { defineWakeWordDetector, type WakeWordDetector } from '../wake-word-detector.ts'
import { readModels } from './model-list.ts'
import { toError, WyomingStream } from './wyoming-stream.ts'

export interface WyomingDetectorOptions {
  /** An address such as `tcp://192.168.1.5:10400`. */
  address: string
  /** How long the server may take after the end of the sound. One that has found a word reports no end. Default: 1 s. */
  endLimitMs?: number
  /** Receives the reason if the models cannot be listed. */
  warn(message: string): void
}

const usualPort = 10_400
const maxStreams = 32

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
