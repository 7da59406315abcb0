import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ModelError } from '../catalogue/model-error.ts'
import { convertWeights } from './convert-weights.ts'
import { weightsName } from './hibari-models.ts'

/**
 * Replaces the graph that was downloaded by the weights that the engine reads. Does nothing if that has been done.
 * @param folder of the voice.
 * @throws {ModelError} if the graph is not a voice of this family.
 */
export async function replaceGraph(folder: string): Promise<void> {
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
