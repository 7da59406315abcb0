import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The folders of installed voices of this family begin with it; all other folders are models for sherpa-onnx. */
const prefix = 'hibari-'
/** The file of the weights as the engine reads them. */
export const weightsName = 'weights.safetensors'

export const isHibariFolder = (name: string) => name.startsWith(prefix)

/** A voice in a folder with models. */
export interface HibariModel {
  /** A name such as `emma`. */
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
