import {
  startTinyModelService,
  type TinyModelService,
} from '@parlando/test-support/local-service/models/tiny-model-service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const path = '/local/v1/models'
const voiceId = 'sherpa-vits-piper-de_de-anna'
const recogniserId = 'sherpa/streaming-zipformer-ctc-en'
let service: TinyModelService
beforeAll(async () => {
  service = await startTinyModelService()
})
afterAll(() => service.close())

/** Resolves when the model is installed and offered. */
async function install(name: string, acceptedLicence: string): Promise<void> {
  await service.send('POST', `${path}/${name}:install`, { acceptedLicence })
  const isInstalled = async () => {
    const { models } = await service.send('GET', path)
    return models.find((model: { name: string }) => model.name === name).isInstalled
  }
  await expect.poll(isInstalled, { timeout: 60_000 }).toBe(true)
}

const voiceIds = async () => {
  const { voices } = await service.send('GET', '/voices/v1/voices')
  return voices.map(({ voiceId }: { voiceId: string }) => voiceId)
}
const recogniserIds = async () => {
  const { models } = await service.send('GET', '/stt/v1/models')
  return models.map(({ modelId }: { modelId: string }) => modelId)
}
const requestOf = (text: string) => ({ text, voiceId, modelId: 'svc-tts-2' })

/** Each test downloads, unpacks and loads a model. */
const limit = { timeout: 60_000 }

describe('a running service', limit, () => {
  it('offers a new voice at once, lets its utterance end when it is removed, then says so', async () => {
    await install('anna', 'OpenRAIL-M')
    expect(await voiceIds()).toContain(voiceId)
    // The response arrives with the first chunk.
    const utterance = await service.app.request('/tts/v1/voice:stream', {
      method: 'POST',
      body: JSON.stringify(requestOf('guten morgen. '.repeat(30))),
    })
    await service.send('DELETE', `${path}/anna`)
    expect(await voiceIds()).not.toContain(voiceId)
    const lines = (await utterance.text()).trim().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('result')
    expect(
      await service.send('POST', '/tts/v1/voice', requestOf('guten morgen'), 404),
    ).toMatchObject({
      message: /Unknown voice/,
    })
    expect(await service.send('DELETE', `${path}/anna`)).toMatchObject({ isInstalled: false })
  })

  it('offers a new recogniser at once, before all others', async () => {
    await install('tones', 'CC0-1.0')
    expect((await recogniserIds())[0]).toBe(recogniserId)
    await service.send('DELETE', `${path}/tones`)
    expect(await recogniserIds()).not.toContain(recogniserId)
  })
})
