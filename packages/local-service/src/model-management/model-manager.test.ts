import { dirname } from 'node:path'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { expect, it, onTestFinished } from 'vitest'
import { contents, makeEntry, remote, setUp } from '../models/install/tiny-voice.test-case.ts'
import { createModelManager } from './model-manager.ts'

const licence = 'CC0-1.0'

/** A manager whose first installation has installed its model, and waits until `release` is called. */
async function startInstalling() {
  const { folder, server } = await setUp()
  const files = Object.entries(contents).map(([path, body]) => ({
    ...remote(Buffer.from(body), `${server.baseUrl}/${path}`),
    path: path.replace('vits-tiny/', ''),
  }))
  // A voice that imitates is not loaded for a test.
  const entry = makeEntry({ family: 'pocket', sources: [{ files }] })
  const missing = remote(Buffer.from('a'), `${server.baseUrl}/missing.tar`)
  const other = makeEntry({ name: 'other', folder: 'other', sources: [{ archive: missing }] })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = false
  const manager = createModelManager({
    dataFolder: dirname(folder),
    enginesFolder: optionalEnginesFolder,
    offered: [entry, other],
    async onChange() {
      if (isHeld) return
      isHeld = true
      await held
    },
  })
  onTestFinished(() => {
    release()
    return manager.close()
  })
  await manager.install('tiny', licence)
  await expect.poll(() => isHeld, { timeout: 20_000 }).toBe(true)
  const stateOf = async (name: string) => {
    const { models } = await manager.list()
    const { isInstalled, installation } = models.find((model) => model.name === name)!
    return { isInstalled, installation }
  }
  const becomes = (name: string, state: object) =>
    expect.poll(() => stateOf(name), { timeout: 20_000 }).toEqual(state)
  return { manager, release, becomes, server }
}

it('a model can be installed again before its cancelled installation has ended', async () => {
  const { manager, release, becomes } = await startInstalling()
  await manager.cancel('tiny')
  await manager.remove('tiny')
  const { installation } = await manager.install('tiny', licence)
  expect(installation).toEqual({ state: 'preparing' })
  release()
  await becomes('tiny', { isInstalled: true, installation: undefined })
})

it('a model whose installation was cancelled too late is not installed twice', async () => {
  const { manager, release, becomes, server } = await startInstalling()
  await manager.cancel('tiny')
  await manager.install('tiny', licence)
  release()
  await becomes('tiny', { isInstalled: true, installation: undefined })
  expect(server.requests).toHaveLength(2)
})

it('another model can be installed once an installation was cancelled', async () => {
  const { manager, release, becomes } = await startInstalling()
  await expect(manager.install('other', licence)).rejects.toThrow('tiny is being installed')
  await manager.cancel('tiny')
  await manager.install('other', licence)
  release()
  const installation = expect.objectContaining({ state: 'failed', code: 'DOWNLOAD_FAILED' })
  await becomes('other', { isInstalled: false, installation })
})

it('an installation that waits for a cancelled one can be cancelled', async () => {
  const { manager, release, becomes, server } = await startInstalling()
  await manager.cancel('tiny')
  await manager.install('other', licence)
  await manager.cancel('other')
  release()
  await becomes('other', { isInstalled: false, installation: undefined })
  expect(server.requests).toHaveLength(2)
})
