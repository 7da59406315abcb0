import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findSherpa } from '../../../models/sherpa/find-sherpa.ts'
import { findModelsFolders } from '../../../models/sherpa/model-folders.ts'
import type { SpeechDetector } from '../detectors.ts'
import { createSileroProcess, type SileroProcess } from './silero-process.ts'

export interface SileroOptions {
  /** The folder with models for sherpa-onnx. */
  sherpaModels?: string
  /** The package is searched for in these folders too. */
  enginesFolder?: string
  dataFolder?: string
  /** Receives the reason why the model is not used, and failures of the process. */
  warn(message: string): void
}

/** As published for sherpa-onnx: `silero_vad.onnx`, `silero_vad_v5.onnx`. */
const modelName = /^silero[-_]vad.*\.onnx$/i
const idleLimitMs = 10 * 60_000

/**
 * The voice activity detection Silero, in a separate process: a damaged model ends its process, and its work does not delay
 * the sockets of the service.
 * @returns `undefined` if there is no model, or if it cannot be used; `warn` receives the reason.
 */
export async function startSilero(options: SileroOptions): Promise<SpeechDetector | undefined> {
  const { sherpaModels, enginesFolder, dataFolder, warn } = options
  const model = await findModel(await findModelsFolders(sherpaModels, dataFolder))
  const packagePath = model && findSherpa([enginesFolder, dataFolder]).packagePath
  if (!packagePath) return undefined
  const start = () => createSileroProcess(packagePath, model)
  try {
    // Loads the model once. A damaged one would otherwise fail only when a person speaks.
    await (await start()).end()
  } catch (error) {
    const [reason] = (error as Error).message.split('\n', 1)
    warn(`The voice activity detection ${model} is not used: ${reason}`)
    return undefined
  }
  return createDetector(start, warn)
}

async function findModel(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [])
    const name = names.sort().find((each) => modelName.test(each))
    if (name) return join(folder, name)
  }
  return undefined
}

function createDetector(
  start: () => Promise<SileroProcess>,
  warn: (message: string) => void,
): SpeechDetector {
  let current: Promise<SileroProcess> | undefined
  let openStreams = 0
  let lastStream = 0
  let idleLimit: NodeJS.Timeout | undefined

  const end = async (ending: Promise<SileroProcess> | undefined) => {
    if (current === ending) current = undefined
    await ending?.then((silero) => silero.end()).catch(() => {})
  }
  const ensureRunning = (): Promise<SileroProcess> => {
    current ??= start()
    return current
  }

  return {
    open() {
      clearTimeout(idleLimit)
      openStreams += 1
      lastStream += 1
      const stream = lastStream
      let used: Promise<SileroProcess> | undefined
      let isOpen = true
      return {
        async push(samples) {
          if (!isOpen) return undefined
          used ??= ensureRunning()
          try {
            return await (await used).judge(stream, samples)
          } catch (error) {
            // The next stream starts the process again.
            void end(used)
            if (isOpen) warn(`The voice activity detection failed: ${(error as Error).message}`)
            isOpen = false
            return undefined
          }
        },
        close() {
          isOpen = false
          void used?.then((silero) => silero.close(stream)).catch(() => {})
          used = undefined
          openStreams -= 1
          if (openStreams === 0) idleLimit = setTimeout(() => end(current), idleLimitMs).unref()
        },
      }
    },
    async close() {
      clearTimeout(idleLimit)
      await end(current)
    },
  }
}
