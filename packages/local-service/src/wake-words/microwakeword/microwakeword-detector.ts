import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBuiltInData } from '../../machine/built-in-data.ts'
import { createWakeWordSlots } from '../../recognisers/listening-slots.ts'
import {
  type DetectorModel,
  defineWakeWordDetector,
  type WakeWordDetection,
  type WakeWordDetector,
  type WakeWordRequest,
  type WakeWordStream,
  wakeWordRateHertz,
} from '../wake-word-detector.ts'
import type { NetworkData } from './network.ts'
import { createSoundFeatures } from './sound-features.ts'
import { createWordSearch } from './word-search.ts'

// Each takes half a percent of a core for each word.
const maxStreams = 32

/** The wake words of the package of voices, if it is installed. */
export const microwakeword = defineWakeWordDetector({
  name: 'microwakeword',
  options: {},
  async start() {
    const folder = findBuiltInData('wake-words')
    return folder ? createMicrowakewordDetector(await readNetworks(folder)) : undefined
  },
})

/** @throws {Error} if a file cannot be read. */
async function readNetworks(folder: string): Promise<NetworkData[]> {
  const names = (await readdir(folder)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.map((text) => JSON.parse(text) as NetworkData)
}

/**
 * microWakeWord: a network of some 25,000 weights for each word, which its author has made for microcontrollers. It is fast enough
 * to run in this thread.
 */
function createMicrowakewordDetector(networks: readonly NetworkData[]): WakeWordDetector {
  const closing = new AbortController()
  const slots = createWakeWordSlots(maxStreams)
  const model: DetectorModel = {
    modelId: 'microwakeword/built-in',
    displayName: 'Built-in wake words (microWakeWord)',
    langCodes: ['EN_US'],
    phrases: networks.map(({ phrase }) => phrase),
    isRough: false,
  }
  return {
    name: 'microwakeword',
    models: [model],
    async open(request) {
      const release = await slots.acquire(request.signal)
      const chosen = networks.filter(({ phrase }) => request.phrases.includes(phrase))
      const signal = AbortSignal.any([request.signal, closing.signal])
      return openStream(chosen, { ...request, signal }, release)
    },
    async close() {
      closing.abort()
    },
  }
}

function openStream(
  networks: readonly NetworkData[],
  { sensitivity, signal }: WakeWordRequest,
  close: () => void,
): WakeWordStream {
  const features = createSoundFeatures()
  const searches = networks.map((network) => createWordSearch(network, sensitivity))
  const push = async (samples: Int16Array): Promise<WakeWordDetection[]> => {
    signal.throwIfAborted()
    const frames = features.push(samples)
    return frames.flatMap((frame) => searches.flatMap((search) => search.push(frame) ?? []))
  }
  return {
    push,
    // A network finds a word a moment after its end.
    end: () => push(new Int16Array(wakeWordRateHertz / 2)),
    close,
  }
}
