import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installModel } from './install-model.ts'
import { changedFiles, listInstalled } from './install-record.ts'
import { setUp } from './tiny-voice.test-case.ts'

describe('an installed model', () => {
  it('names its changed and missing files', async () => {
    const { folder, entry } = await setUp()
    const model = await installModel(entry, { folder })
    expect(await changedFiles(model)).toEqual([])
    await writeFile(join(model.folder, 'tokens.txt'), 'b 2\n')
    await rm(join(model.folder, 'model.onnx'))
    expect(await changedFiles(model)).toEqual(['model.onnx', 'tokens.txt'])
  })

  it('is not listed if its record is damaged', async () => {
    const { folder, entry } = await setUp()
    const model = await installModel(entry, { folder })
    await writeFile(join(model.folder, '.parlando.json'), '{')
    expect(await listInstalled(folder)).toEqual([])
  })
})
