import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { expect, it, onTestFinished } from 'vitest'
import { resolveOptions } from '../options.ts'
import { followInstalledModels } from './follow-installed-models.ts'

it('offers the new recognisers although the engine of the voices fails', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-follow-'))
  onTestFinished(() => rm(dataFolder, { recursive: true }))
  const sherpa = createFakeEngine()
  const failure = new Error('no voice today')
  sherpa.engine.refresh = () => Promise.reject(failure)
  let refreshed = 0
  const recogniser = createFakeRecogniser()
  recogniser.refresh = async () => void refreshed++
  const followed = await followInstalledModels({
    ...resolveOptions({ dataFolder }),
    engines: new Map([['sherpa', sherpa]]),
    recognisers: new Map([['sherpa', recogniser]]),
    wakeWords: new Map(),
    warn: () => {},
  })
  onTestFinished(() => followed?.close())
  const manager = await followed!.openModelManager!()
  const [any] = (await manager.list()).models
  await mkdir(join(dataFolder, 'models/mine'), { recursive: true })
  await expect(manager.remove(any!.name)).rejects.toBe(failure)
  expect(refreshed).toBe(1)
})
