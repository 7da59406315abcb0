import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readText } from '../../config/option.ts'
import { findBuiltInData } from '../../machine/built-in-data.ts'
import { readWeights } from '../../neural-networks/weights.ts'
import { createWakeWordSlots } from '../../recognisers/listening-slots.ts'
import {
  type DetectorModel,
  defineWakeWordDetector,
  type WakeWordDetector,
} from '../wake-word-detector.ts'
import { type Classifier, readClassifier } from './classifier.ts'
import { embedNoise, openStream } from './openwakeword-stream.ts'

export interface OpenwakewordOptions {
  /** Folders with graphs of wake words, which need not exist. */
  folders: readonly string[]
  /** The file with the weights of the speech embedding. */
  weightsPath: string
  /** Receives each graph that is skipped, with the reason. */
  warn(message: string): void
}

interface WakeWord {
  model: DetectorModel
  classifier: Classifier
}

// Each takes 3 % of a core.
const maxStreams = 16
const maxFiles = 20
const maxFileBytes = 20_000_000

/** Wake words whose graphs the user has put into a folder. The embedding that all of them use is in the package of voices. */
export const openwakeword = defineWakeWordDetector({
  name: 'openwakeword',
  options: {
    openWakeWords: {
      placeholder: 'FOLDER',
      help: 'folder with wake words in the form of openWakeWord, such as hey_house.onnx; further ones: wake-words in the data folder',
      read: readText,
    },
  },
  async start({ options: { openWakeWords }, dataFolder, warn }) {
    const weightsPath = findBuiltInData('speech-embedding/weights.safetensors')
    const own = dataFolder ? join(dataFolder, 'wake-words') : undefined
    const folders = [openWakeWords, own].flatMap((folder) => folder ?? [])
    return weightsPath ? createOpenwakewordDetector({ folders, weightsPath, warn }) : undefined
  },
})

/** @returns `undefined` if the folders contain no wake word. */
export async function createOpenwakewordDetector(
  options: OpenwakewordOptions,
): Promise<WakeWordDetector | undefined> {
  const words = await readWakeWords(options)
  if (words.length === 0) return undefined
  const weights = readWeights(await readFile(options.weightsPath))
  const background = embedNoise(weights)
  const closing = new AbortController()
  const slots = createWakeWordSlots(maxStreams)
  return {
    name: 'openwakeword',
    models: words.map(({ model }) => model),
    async open(request) {
      const { classifier } = words.find(({ model }) => model.modelId === request.modelId)!
      const release = await slots.acquire(request.signal)
      const signal = AbortSignal.any([request.signal, closing.signal])
      return openStream({
        weights,
        classifier,
        background,
        request: { ...request, signal },
        release,
      })
    },
    async close() {
      closing.abort()
    },
  }
}

async function readWakeWords({ folders, warn }: OpenwakewordOptions): Promise<WakeWord[]> {
  const words: WakeWord[] = []
  for (const path of await listGraphs(folders)) {
    try {
      if ((await stat(path)).size > maxFileBytes) throw new Error('it is larger than 20 MB')
      const classifier = readClassifier(await readFile(path))
      words.push({ model: describe(path), classifier })
    } catch (error) {
      warn(`The wake word ${path} is skipped: ${(error as Error).message}`)
    }
  }
  return words
}

async function listGraphs(folders: readonly string[]): Promise<string[]> {
  const listing = folders.map(async (folder) => {
    const names = await readdir(folder).catch(() => [])
    const graphs = names.filter((name) => name.endsWith('.onnx')).sort()
    return graphs.map((name) => join(folder, name))
  })
  return (await Promise.all(listing)).flat().slice(0, maxFiles)
}

/** The graphs do not contain their phrase, only their file names do: `hey_jarvis_v0.1.onnx`. */
function describe(path: string): DetectorModel {
  const name = basename(path, '.onnx')
  const phrase = name
    .replace(/_v?\d[\d.]*$/, '')
    .replaceAll('_', ' ')
    .trim()
  return {
    modelId: `openwakeword/${name}`,
    displayName: `${phrase} (openWakeWord)`,
    langCodes: [],
    phrases: [phrase],
    isRough: false,
  }
}
