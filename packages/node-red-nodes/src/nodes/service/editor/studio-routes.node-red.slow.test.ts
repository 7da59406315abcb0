import { createClient } from '@parlando/core'
import { makeVoiceSample } from '@parlando/test-support/audio/speak'
import { useHostedService } from '@parlando/test-support/node-red/hosted-service'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import type { RecentText } from '../../../studio-server/recent-text.ts'

const { load, postToAdmin } = useNodeRed()
const { hosted, serviceUrl } = useHostedService()

const post = async <Body>(path: string, body: object = {}) => {
  const response = await postToAdmin(`/parlando/${path}`, body)
  return { status: response.status, body: response.body as Body }
}

it('the studio clones a recording, names and tags the voice, copies it through a file, and deletes it', async () => {
  await load([])
  const client = createClient({ baseUrl: serviceUrl(), apiKey: keys.service })
  const recording = Buffer.from(await makeVoiceSample(client)).toString('base64')
  const clone = { recording, displayName: 'Anna', langCode: 'AUTO', tags: ['calm', 7, ''] }
  const cloned = await post<{ voice: { voiceId: string } }>('studio/clone', hosted({}))
  expect(cloned).toMatchObject({ status: 422, body: { error: { code: 'INVALID_INPUT' } } })

  const made = await post<{ voice: { voiceId: string }; remarks: object[] }>('studio/clone', {
    ...hosted(),
    ...clone,
  })
  expect(made.body).toMatchObject({ voice: { displayName: 'Anna', tags: ['calm'] }, remarks: [] })
  const { voiceId } = made.body.voice
  const texts = { voiceId, displayName: 'Anne', tags: ['home'], description: 'At home.' }
  const changed = await post('studio/change', { ...hosted(), ...texts })
  expect(changed.body).toMatchObject({ voice: texts })
  const file = await post('studio/export', { ...hosted(), voiceId })
  const copy = await post('studio/import', { ...hosted(), file: file.body })
  expect(copy.body).toMatchObject({ voice: { displayName: 'Anne', tags: ['home'] } })
  const foreign = await post('studio/import', { ...hosted(), file: [1] })
  expect(foreign).toMatchObject({ status: 422, body: { error: { code: 'INVALID_INPUT' } } })
  expect((await post('studio/delete', { ...hosted(), voiceId })).body).toEqual({})
  await expect(client.getVoice(voiceId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await client.close()
})

it('the studio shows what the service says about a recording', async () => {
  await load([])
  const client = createClient({ baseUrl: serviceUrl(), apiKey: keys.service })
  const sample = Buffer.from(await makeVoiceSample(client))
  await client.close()
  const recording = sample.subarray(0, 44 + 2 * 16_000 * 4).toString('base64')
  const request = { ...hosted(), recording, displayName: 'Short', langCode: 'EN_US' }
  expect((await post('studio/clone', request)).body).toMatchObject({
    remarks: [{ code: 'too-short', text: expect.stringContaining('5 to 15 s') }],
  })
})

describe('what was spoken lately', () => {
  const say = async (settings: object) => {
    const place = { location: 'hosted', baseUrl: serviceUrl(), name: 'Cloud' }
    const flow = await load(
      [
        { id: 'service', type: 'parlando-service', ...place, ...settings },
        {
          id: 'speak',
          type: 'parlando-speak',
          z: 'tab',
          service: 'service',
          voice: 'Clara',
          text: 'payload',
          textType: 'msg',
          output: 'whole',
          wires: [['out']],
        },
        { id: 'out', type: 'helper', z: 'tab' },
      ],
      { service: { apiKey: keys.service } },
    )
    flow.node('speak').receive({ payload: 'Dinner is ready.' })
    await flow.waitFor('out', 1)
    return (await post<{ texts: RecentText[] }>('studio/recent')).body.texts
  }

  it('is listed with its sound, and cleared', async () => {
    const [recent] = await say({})
    expect(recent).toMatchObject({
      service: 'Cloud',
      text: 'Dinner is ready.',
      voiceId: 'Clara',
      charactersCharged: 16,
      isComplete: true,
      hasSound: true,
    })
    const { id } = recent!
    expect((await post('studio/recent/sound', { id })).body).toEqual({
      audio: expect.stringMatching(/^[\w+/]{1000}/),
      mediaType: 'audio/mpeg',
    })
    expect((await post('studio/recent/clear')).body).toEqual({ texts: [] })
    expect((await post('studio/recent')).body).toEqual({ texts: [] })
    expect(await post('studio/recent/sound', { id })).toMatchObject({
      status: 422,
      body: { error: { message: 'service.error.sound-gone' } },
    })
  })

  it.each([
    ['texts', [{ hasSound: false }]],
    ['off', []],
  ])('follows the setting of the service: %s', async (recentSpeech, expected) => {
    await post('studio/recent/clear')
    expect(await say({ recentSpeech })).toMatchObject(expected)
  })
})
