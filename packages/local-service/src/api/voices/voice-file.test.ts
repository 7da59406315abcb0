import { writeWavHeader } from '@parlando/core/audio'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { makeClonedVoice, useTestApp } from '@parlando/test-support/local-service/test-app'
import { beforeEach, describe, expect, it } from 'vitest'

const testApp = useTestApp()
const pcm = tone({ seconds: 1, hertz: 200, sampleRateHertz: 8000 })
const toneWav = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 8000, dataBytes: pcm.length }),
  pcm,
])
const anna = makeClonedVoice('anna', { displayName: 'Anna', tags: ['calm'] })
const { voiceId } = anna.voice
beforeEach(async () => {
  for (const { voice } of testApp.voiceList.clones.list()) {
    await testApp.voiceList.clones.remove(voice.voiceId)
  }
  await testApp.voiceList.clones.add(anna)
})

const exported = async (id = voiceId) => {
  const response = await testApp.app.request(`/local/v1/voices/${id}:export`)
  return { status: response.status, body: await response.json() }
}
const importVoice = async (file: object) => {
  const response = await testApp.post('/local/v1/voices:import', file)
  return { status: response.status, body: await response.json() }
}

describe('a voice as a file', () => {
  it('has the texts and measures of a clone, and becomes an equal clone with another id', async () => {
    const { body: file } = await exported()
    expect(file).toEqual({
      parlandoVoice: 1,
      voice: { displayName: 'Anna', langCode: 'EN_US', tags: ['calm'] },
      imprint: anna.imprint,
    })
    const { status, body } = await importVoice(file)
    expect([status, body]).toMatchObject([200, { displayName: 'Anna', source: 'IVC' }])
    expect(body.voiceId).toMatch(/^local__anna-[0-9a-f]{12}$/)
    expect(body.voiceId).not.toBe(voiceId)
    const added = testApp.voiceList.clones.find(body.voiceId)!
    expect(added).toMatchObject({ imprint: anna.imprint, engine: 'flite' })
    expect((await exported(body.voiceId)).body).toEqual(file)
  })

  it('is only made of clones', async () => {
    expect(await exported('Clara')).toMatchObject({ status: 403, body: { code: 7 } })
    expect(await exported('nobody')).toMatchObject({ status: 404 })
  })

  it.each<[string, object, RegExp]>([
    ['of a newer service', { parlandoVoice: 2 }, /parlandoVoice.*newer than this service/],
    ['without measures', { imprint: undefined }, /imprint/],
    [
      'with measures that no voice has',
      { imprint: { ...anna.imprint, level: 9 } },
      /imprint\.level/,
    ],
    ['without a name', { voice: { displayName: ' ', langCode: 'EN_US' } }, /displayName/],
    [
      'in an unknown language',
      { voice: { displayName: 'A', langCode: 'XX_XX' } },
      /cannot speak XX_XX/,
    ],
    [
      'with a long text',
      { voice: { displayName: 'A', langCode: 'EN_US', description: 'x'.repeat(9000) } },
      /limit is 8000/,
    ],
    [
      'with a recording that is not a sound',
      { recording: { audioData: 'UklGRg==' } },
      /recording|sample 1/,
    ],
    [
      'with a recording of another program',
      { recording: { audioData: toneWav.toString('base64') } },
      /8000 Hz instead of 24000 Hz/,
    ],
  ])('is rejected %s, and adds nothing', async (_what, change, message) => {
    const { body: file } = await exported()
    const { status, body } = await importVoice({ ...file, ...change })
    expect(body).toMatchObject({ message: expect.stringMatching(message) })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(testApp.voiceList.clones.list()).toHaveLength(1)
  })

  it('is rejected while others are added and wait, whose number the error says', async () => {
    const bodies = Array.from({ length: 5 }, () => new TransformStream<Uint8Array>())
    const responses = bodies.map(async ({ readable }) =>
      testApp.app.request('/local/v1/voices:import', {
        method: 'POST',
        body: readable,
        duplex: 'half',
      } as RequestInit),
    )
    const rejected = await Promise.race(responses)
    expect([rejected.status, await rejected.json()]).toMatchObject([
      429,
      { message: expect.stringContaining('4 voices are being added') },
    ])
    await Promise.all(bodies.map(({ writable }) => writable.close().catch(() => {})))
    await Promise.all(responses)
  })
})
