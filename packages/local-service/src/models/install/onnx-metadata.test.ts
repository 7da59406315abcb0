import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  float,
  input,
  node,
  onnxModel,
  output,
} from '@parlando/test-support/local-service/models/onnx-model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addOnnxMetadata } from './onnx-metadata.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-onnx-'))
})
afterAll(() => rm(folder, { recursive: true }))

const graph = [node('Sin', ['x'], 'y'), input('x', float, ['n']), output('y', float, ['n'])]
const metadata = { voice: 'en-us', sample_rate: 22_050, long: 'ä'.repeat(300) }

async function add(model: Uint8Array | string): Promise<Buffer> {
  const path = join(folder, 'model.onnx')
  await writeFile(path, model)
  await addOnnxMetadata(path, metadata)
  return readFile(path)
}

it('writes what a library would have written', async () => {
  expect(await add(onnxModel(graph, {}))).toEqual(onnxModel(graph, metadata))
})

it('leaves a model with metadata as it is', async () => {
  const model = onnxModel(graph, { voice: 'de' })
  expect(await add(model)).toEqual(model)
})

it.each([
  ['a part of a model', onnxModel(graph, {}).subarray(0, -1)],
  ['a page of a website', '<!DOCTYPE html><html><body>Not found</body></html>'],
  ['a pointer to a file', 'version https://git-lfs.github.com/spec/v1\n'],
  ['an empty file', ''],
])('rejects %s', async (_name, content) => {
  await expect(add(content)).rejects.toThrow(
    /model\.onnx is not a complete model \(ONNX\)\. Download it again$/,
  )
})
