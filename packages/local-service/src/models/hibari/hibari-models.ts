import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CatalogueEntry } from '../catalogue/catalogue.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { convertWeights } from './convert-weights.ts'

/** The folders of installed voices of this family begin with it; all other folders are models for sherpa-onnx. */
const prefix = 'hibari-'
/** As the engine reads them. */
const weightsName = 'weights.safetensors'

export const isHibariFolder = (name: string) => name.startsWith(prefix)

/** Whether a model is a voice of this family, which the service runs itself, without sherpa-onnx. */
export const isHibari = ({ family }: Pick<CatalogueEntry, 'family'>) => family === 'hibari'

/** A voice in a folder with models. */
export interface HibariModel {
  /** Such as `emma`. */
  name: string
  folder: string
  /** The path of its weights. */
  weights: string
}

/** @param folder with models; it need not exist. */
export async function listHibariModels(folder: string): Promise<HibariModel[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter(isHibariFolder)
    .map((name) => ({
      name: name.slice(prefix.length),
      folder: join(folder, name),
      weights: join(folder, name, weightsName),
    }))
    .filter(({ weights }) => existsSync(weights))
}

/**
 * Replaces the graph that was downloaded by the weights that the engine reads. Does nothing if that has been done.
 * @param folder of the voice.
 * @throws {ModelError} if the graph is not a voice of this family.
 */
export async function prepareHibari(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((name) => name.endsWith('.onnx'))) {
    const path = join(folder, name)
    const weights = await readFile(path)
      .then(convertWeights)
      .catch((error: Error) => {
        throw new ModelError('DAMAGED', `The voice cannot be read: ${error.message}`)
      })
    await writeFile(join(folder, weightsName), weights)
    await rm(path)
  }
}
