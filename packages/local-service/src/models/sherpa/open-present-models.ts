import { removedModelError } from '../../errors/removed-model-error.ts'
import { isSameModel, type ModelFolder } from './model-folders.ts'

/** A model in a folder. */
export interface ModelInFolder<Model extends { modelId: string }>
  extends Pick<ModelFolder, 'path' | 'changedAtMs'> {
  model: Model
}

/** Models that are open as long as their folders exist. */
export interface PresentModels<Open> {
  readonly all: readonly Open[]
  /** @throws {EngineError} if the model was removed. */
  get(modelId: string): Open
  /** Opens the models that were added or replaced, and retires those that were removed. */
  refresh(): Promise<void>
}

export interface PresentModelsOptions<Found, Open extends Found> {
  /** What a model is, at the start of a sentence, such as `The recogniser`. */
  name: string
  find(): Promise<readonly Found[]>
  /** @returns nothing if the model cannot be used. */
  open(found: Found): Promise<Open | undefined> | Open
  /** Called with a model that was removed. */
  retire(open: Open): Promise<void> | void
}

/** Opens the models that exist. */
export async function openPresentModels<
  Found extends ModelInFolder<{ modelId: string }>,
  Open extends Found,
>({ name, find, open, retire }: PresentModelsOptions<Found, Open>): Promise<PresentModels<Open>> {
  const opened = new Map<string, Open>()
  const refresh = async () => {
    const found = await find()
    for (const [modelId, model] of opened) {
      if (found.some((each) => isSameModel(each, model))) continue
      opened.delete(modelId)
      await retire(model)
    }
    // One after the other, because a model can take a gigabyte of memory while it loads.
    for (const each of found) {
      const { modelId } = each.model
      // Another folder may have a model of the same name.
      if (opened.has(modelId)) continue
      const model = await open(each)
      if (model) opened.set(modelId, model)
    }
  }
  await refresh()
  return {
    get all() {
      return [...opened.values()]
    },
    get(modelId) {
      const model = opened.get(modelId)
      if (!model) throw removedModelError(`${name} ${modelId}`, 'one')
      return model
    },
    refresh,
  }
}
