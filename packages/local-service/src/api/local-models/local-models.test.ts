import { readdir } from 'node:fs/promises'
import {
  startTinyModelService,
  type TinyModelService,
} from '@parlando/test-support/local-service/models/tiny-model-service'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followInstalledModels } from '../../model-management/follow-installed-models.ts'
import { resolveOptions } from '../../options.ts'

const path = '/local/v1/models'
let service: TinyModelService
beforeAll(async () => {
  service = await startTinyModelService()
})
afterAll(() => service.close())

const install = (name: string, acceptedLicence: string, status?: number) =>
  service.send('POST', `${path}/${name}:install`, { acceptedLicence }, status)
const modelOf = async (name: string) => {
  const { models } = await service.send('GET', path)
  return models.find((model: { name: string }) => model.name === name)
}
/** Waits for a state of a model. */
const waitFor = (name: string, expected: object) =>
  expect.poll(() => modelOf(name), { timeout: 60_000 }).toMatchObject(expected)

describe('/local/v1/models', () => {
  it('lists what can be installed, with its size, its licence and whether it fits', async () => {
    const { models, needsAddon } = await service.send('GET', path)
    expect(needsAddon).toBe(false)
    expect(models).toMatchObject([
      {
        name: 'anna',
        kind: 'voice',
        languages: ['de-DE'],
        isInstalled: false,
        licence: { name: 'OpenRAIL-M', notice: 'Nobody may be impersonated.' },
        fit: 'good',
        downloadBytes: expect.any(Number),
        isConfirmed: true,
      },
      { name: 'tones', kind: 'recogniser' },
    ])
    expect(models[0]).not.toHaveProperty('installation')
  })

  it('installs nothing without the accepted licence, or under an unknown name', async () => {
    expect(await install('anna', 'CC0-1.0', 400)).toMatchObject({
      code: 3,
      message: /acceptedLicence: must be OpenRAIL-M/,
    })
    await service.send('POST', `${path}/anna:install`, {}, 400)
    expect(await install('berta', 'OpenRAIL-M', 404)).toMatchObject({ message: /Unknown model/ })
    await expect(readdir(service.modelsFolder)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('reports the progress of a download, which can be cancelled', async () => {
    const release = service.holdDownloads()
    const model = await install('anna', 'OpenRAIL-M')
    expect(model.installation).toMatchObject({ state: expect.any(String) })
    await waitFor('anna', { installation: { state: 'downloading' } })
    const { installation } = await modelOf('anna')
    expect(installation.receivedBytes).toBeLessThan(installation.totalBytes)
    expect(await install('tones', 'CC0-1.0', 400)).toMatchObject({ message: /anna is being/ })
    await install('anna', 'OpenRAIL-M')
    await service.send('POST', `${path}/anna:cancel`)
    await expect.poll(() => modelOf('anna')).not.toHaveProperty('installation')
    release()
    expect(await modelOf('anna')).toMatchObject({ isInstalled: false })
  })

  it('says why an installation has failed, until it is tried again', async () => {
    service.damageDownloads()
    await install('tones', 'CC0-1.0')
    await waitFor('tones', { installation: { state: 'failed', code: 'WRONG_CHECKSUM' } })
    expect(await service.send('POST', `${path}/tones:cancel`)).not.toHaveProperty('installation')
    expect(await modelOf('tones')).not.toHaveProperty('installation')
  })
})

describe('a service that others can reach', () => {
  const testApp = useTestApp()

  it.each([
    { host: '0.0.0.0', apiKey: 'a key' },
    { allowOrigins: ['https://example.org'] },
    { dataFolder: undefined },
  ])('installs no models: %j', async (given) => {
    const options = resolveOptions({ dataFolder: service.modelsFolder, ...given })
    const parts = { engines: new Map(), recognisers: new Map(), wakeWords: new Map() }
    const warn = () => {}
    const installed = await followInstalledModels({ ...options, ...parts, warn })
    const app = createTestApp(testApp.flite, warn, undefined, {
      openModelManager: installed?.openModelManager,
    })
    expect((await app.request(path)).status).toBe(404)
    await installed?.close()
  })
})
