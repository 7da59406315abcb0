import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installModel } from './install-model.ts'
import { findInstalled, listInstalled } from './install-record.ts'
import { removeModel } from './remove-model.ts'
import { expectOnly, setUp } from './tiny-voice.test-case.ts'

/** Puts a file into a model that no program can delete. @returns a function that takes it away. */
async function makeUndeletable(folder: string, model: string) {
  // A path that is longer than the system accepts, made of two that are not.
  const long = `${'x'.repeat(200)}/`.repeat(12)
  const outside = join(folder, '../outside')
  await mkdir(join(model, long), { recursive: true })
  await mkdir(join(outside, long), { recursive: true })
  await rename(outside, join(model, long, 'second'))
  return async () => {
    const names = await readdir(folder)
    const removed = names.find((name) => name.startsWith('.removed-'))!
    await rename(join(folder, removed, long, 'second'), outside)
  }
}

describe('an installed model', () => {
  it('can be removed', async () => {
    const { folder, entry } = await setUp()
    await expect(removeModel(folder, 'tiny')).rejects.toMatchObject({ code: 'NOT_INSTALLED' })
    await installModel(entry, { folder })
    await removeModel(folder, 'tiny')
    await expectOnly(folder, ['.downloads'])
    await expect(findInstalled(folder, 'tiny')).rejects.toMatchObject({ code: 'NOT_INSTALLED' })
  })

  it('is removed with what a cancelled installation has received of it', async () => {
    const { folder } = await setUp()
    const downloads = join(folder, '.downloads')
    await mkdir(join(downloads, 'tiny'), { recursive: true })
    await mkdir(join(downloads, 'other'))
    await removeModel(folder, 'tiny')
    await expectOnly(downloads, ['other'])
  })

  it.each(['..', '.', '', '../..', 'other/..', '../tiny'])(
    'is never found by the path %j',
    async (name) => {
      const { folder, entry } = await setUp()
      await installModel(entry, { folder })
      await mkdir(join(folder, '.downloads/other'), { recursive: true })
      await expect(removeModel(folder, name)).rejects.toMatchObject({ code: 'NOT_INSTALLED' })
      expect(await listInstalled(folder)).toHaveLength(1)
      await expectOnly(join(folder, '.downloads'), ['other'])
    },
  )

  it('can be removed again after its files could not be deleted', async () => {
    const { folder, entry } = await setUp()
    const { folder: model } = await installModel(entry, { folder })
    const release = await makeUndeletable(folder, model)
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(removeModel(folder, 'tiny')).rejects.toMatchObject({
        code: 'NOT_DELETED',
        message: expect.stringMatching(
          /^The model cannot be deleted: .*\. End the programs that use/,
        ),
      })
      expect(await listInstalled(folder)).toEqual([])
    }
    await release()
    await installModel(entry, { folder })
    await removeModel(folder, 'tiny')
    await expectOnly(folder, ['.downloads'])
  })

  it('can be removed while the files of another one cannot be deleted', async () => {
    const { folder, entry } = await setUp()
    const { folder: model } = await installModel(entry, { folder })
    const release = await makeUndeletable(folder, model)
    await expect(removeModel(folder, 'tiny')).rejects.toMatchObject({ code: 'NOT_DELETED' })
    await installModel({ ...entry, name: 'other' }, { folder })
    await removeModel(folder, 'other')
    expect(await listInstalled(folder)).toEqual([])
    await release()
  })
})
