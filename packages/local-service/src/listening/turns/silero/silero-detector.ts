import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findModelsFolders } from '../../../models/sherpa/find-models-folders.ts'
import { findSherpa } from '../../../models/sherpa/find-sherpa.ts'
import { programPath } from '../../../processes/program.ts'
import { type ProgramWork, RestartingProgram } from '../../../processes/restarting-program.ts'
import type { DetectorStream, SpeechDetector } from '../detectors.ts'
import type { SileroReport, SileroRequest } from './silero-program.ts'

export interface SileroOptions {
  /** The folder with models for sherpa-onnx. */
  sherpaModels?: string
  /** The package is searched for in these folders too. */
  enginesFolder?: string
  dataFolder?: string
  /** Receives the reason why the model is not used, and failures of the process. */
  warn(message: string): void
}

/** The names of the files that sherpa-onnx publishes: `silero_vad.onnx`, `silero_vad_v5.onnx`. */
const modelName = /^silero[-_]vad.*\.onnx$/i
const idleLimitMs = 10 * 60_000
// A second of sound takes a few milliseconds.
const responseLimitMs = 10_000

/**
 * The voice activity detection Silero, in a separate process: a damaged model ends its process, and its work does not delay
 * the sockets of the service. The process judges the sound of several streams.
 * @returns `undefined` if there is no model, or if it cannot be used; `warn` receives the reason.
 */
export async function startSilero(options: SileroOptions): Promise<SpeechDetector | undefined> {
  const { sherpaModels, enginesFolder, dataFolder, warn } = options
  const model = await findModel(await findModelsFolders(sherpaModels, dataFolder))
  const packagePath = model && findSherpa([enginesFolder, dataFolder]).packagePath
  if (!packagePath) return undefined
  const name = 'The voice activity detection'
  const program = new RestartingProgram<undefined, SileroRequest, SileroReport>({
    name,
    programPath: programPath('silero-program'),
    readArguments: () => [packagePath, model],
    alternative: 'the service without it',
    idleLimitMs,
    warn,
    toEnd: () => ({ frames: undefined }),
    describeEnd: () => `${name} failed: its process ended`,
  })
  try {
    // Loads the model once. A damaged one would otherwise fail only when a person speaks.
    await program.readInfo()
  } catch (error) {
    const [reason] = (error as Error).message.split('\n', 1)
    warn(`${name} ${model} is not used: ${reason}`)
    return undefined
  }
  return { open: () => openStream(program, warn), close: () => program.close() }
}

async function findModel(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [])
    const name = names.sort().find((each) => modelName.test(each))
    if (name) return join(folder, name)
  }
  return undefined
}

function openStream(
  program: RestartingProgram<undefined, SileroRequest, SileroReport>,
  warn: (message: string) => void,
): DetectorStream {
  let starting: Promise<ProgramWork<SileroRequest, SileroReport> | undefined> | undefined
  let isOpen = true
  let receive = (_report: SileroReport) => {}

  const start = async () => {
    const work = await program.begin()
    work.onReport = (report) => {
      // The process has ended.
      if (!report.frames) isOpen = false
      receive(report)
    }
    return work
  }
  const judge = async (samples: Int16Array, work: ProgramWork<SileroRequest, SileroReport>) => {
    let limit: NodeJS.Timeout | undefined
    const { frames } = await new Promise<SileroReport>((resolve) => {
      receive = resolve
      limit = setTimeout(() => {
        const reason = `it did not respond for ${responseLimitMs / 1000} s`
        warn(`The voice activity detection failed: ${reason}`)
        work.endProcess(reason)
      }, responseLimitMs)
      work.send({ type: 'samples', samples })
    })
    clearTimeout(limit)
    return frames
  }
  return {
    async push(samples) {
      // If the program does not start, it has warned.
      starting ??= start().catch(() => undefined)
      const work = await starting
      return work && isOpen ? judge(samples, work) : undefined
    },
    close() {
      isOpen = false
      void starting?.then((work) => {
        work?.send({ type: 'close' })
        work?.release()
      })
    },
  }
}
