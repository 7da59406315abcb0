import { freeMemory, requireMemory } from '../../machine/resources.ts'
import type { FoundSherpa } from '../../models/sherpa/find-sherpa.ts'
import { isSameModel } from '../../models/sherpa/model-folders.ts'
import { type OpenModel, openModel } from './open-model.ts'
import { type Model, readModels } from './read-models.ts'
import { createRemovedVoices } from './removed-voices.ts'
import { type ModelVoice, toVoices } from './sherpa-voices.ts'

export interface SherpaModelsOptions {
  /** @returns folders whose subfolders are models. Called again whenever a model may have been added or removed. */
  findFolders(): Promise<readonly string[]>
  package: FoundSherpa
  /** The memory that a model can take. Default: that of this machine. */
  freeMemory?(): number
  /** How long a removed model waits for the next phrase of an utterance that has begun. Default: 30 s. */
  removalDelayMs?: number
  /** Receives the models that are skipped or fail, with the reason. */
  warn(message: string): void
}

/** What sherpa-onnx prints before it ends its process. */
const lacksMetadata = /'\w+' does not exist in the metadata/
const notForSherpa =
  'it was made for another program, since its file has no metadata for sherpa-onnx. Use the model as it is published for sherpa-onnx'

/** The models in the folders, and their voices by name. */
export interface OpenModels {
  readonly models: readonly OpenModel[]
  readonly voices: ReadonlyMap<string, ModelVoice>
  /**
   * Speaks with a voice, also of a model that was removed since the utterance began.
   * @throws {EngineError} if the voice is gone, and the errors of `speak`.
   */
  use(name: string, speak: (voice: ModelVoice) => Promise<void>): Promise<void>
  /** Opens the models that were added or replaced, and closes those that were removed, after their utterances. */
  refresh(): Promise<void>
  close(): Promise<void>
}

export async function openModels(options: SherpaModelsOptions): Promise<OpenModels> {
  let models: OpenModel[] = []
  let voices = new Map<string, ModelVoice>()
  const removed = createRemovedVoices(options.removalDelayMs)

  const refresh = async () => {
    const found = await findModels(options)
    const isGone = (model: OpenModel) => !found.some((each) => isSameModel(each, model))
    removed.add([...voices.values()].filter(({ model }) => isGone(model)))
    models = models.filter((model) => !isGone(model))
    voices = voicesOf(models)
    const isOpen = (model: Model) => models.some((each) => isSameModel(each, model))
    // One after the other, because each can take a gigabyte of memory while it loads.
    for (const each of found) if (!isOpen(each)) await openNew(each)
    voices = voicesOf(models)
  }
  const openNew = async (found: Model) => {
    const opened = await tryToOpen(found, () => models, options)
    if (opened) models.push(opened)
  }
  await refresh()

  return {
    get models() {
      return models
    },
    get voices() {
      return voices
    },
    use(name, speak) {
      const voice = voices.get(name)
      return voice ? speak(voice) : removed.use(name, speak)
    },
    refresh,
    async close() {
      await Promise.all([...models.map((model) => model.close()), removed.close()])
    },
  }
}

function voicesOf(models: readonly OpenModel[]): Map<string, ModelVoice> {
  const all = models.flatMap((model) => toVoices(model).map((voice) => ({ voice, model })))
  return new Map(all.map((each) => [each.voice.name, each]))
}

async function findModels({ findFolders, package: found, warn }: SherpaModelsOptions) {
  const folders = await findFolders()
  if (!found.packagePath) {
    warn(`The models in ${folders.join(' and ')} are not used: ${found.problem}`)
    return []
  }
  const reading = folders.map((folder) =>
    readModels(folder, warn).catch((error: Error) => {
      warn(`The folder with models cannot be read: ${error.message}`)
      return []
    }),
  )
  return (await Promise.all(reading)).flat()
}

/**
 * @param readOpen the models that are open: a model that loads again later needs those of that time.
 * @returns `undefined` if the model fails.
 */
async function tryToOpen(
  found: Model,
  readOpen: () => readonly OpenModel[],
  { package: sherpa, freeMemory: readFree, warn }: SherpaModelsOptions,
): Promise<OpenModel | undefined> {
  const beforeLoad = (neededBytes: number) =>
    makeRoom(neededBytes, readOpen(), `The model ${found.name}`, readFree)
  try {
    return await openModel(found, { packagePath: sherpa.packagePath!, beforeLoad, warn })
  } catch (error) {
    const { message } = error as Error
    const reason = lacksMetadata.test(message) ? notForSherpa : message
    warn(`The model ${found.name} is skipped: ${reason}`)
    return undefined
  }
}

/**
 * Unloads the other models if the memory is not enough, each after its running phrase.
 * @throws {EngineError} if it is not enough even then.
 */
async function makeRoom(
  neededBytes: number,
  models: readonly OpenModel[],
  name: string,
  readFree = freeMemory,
): Promise<void> {
  if (readFree() >= neededBytes) return
  const loaded = models.filter(({ measured }) => measured.isLoaded)
  await Promise.all(loaded.map((model) => model.unload()))
  requireMemory(name, neededBytes, readFree())
}
