import { changedAtMs as readChangedAtMs } from '../../models/sherpa/model-folders.ts'
import { type ModelLoudness, openLoudness } from '../model-loudness.ts'
import type { Model } from './read-models.ts'

/** The loudness of a model, whose file changes the time of its folder. */
export interface FolderLoudness extends ModelLoudness {
  /** The time of the folder as long as it is that of the same model. */
  readonly changedAtMs: number
}

export async function openFolderLoudness({
  path,
  ...model
}: Pick<Model, 'path' | 'changedAtMs'>): Promise<FolderLoudness> {
  const loudness = await openLoudness(path)
  let { changedAtMs } = model
  return {
    gainOf: loudness.gainOf,
    get changedAtMs() {
      return changedAtMs
    },
    async keep(...measured) {
      // Unless another model has replaced it meanwhile.
      const isSame = (await readChangedAtMs(path)) === changedAtMs
      await loudness.keep(...measured)
      if (isSame) changedAtMs = await readChangedAtMs(path)
    },
  }
}
