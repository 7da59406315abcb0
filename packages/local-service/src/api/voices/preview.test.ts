import { createDurationMeter, readSampleFormat } from '@parlando/core/audio'
import { makeClonedVoice, useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'

const testApp = useTestApp()

async function preview(query: string) {
  const response = await testApp.app.request(`/tts/v1/voice:preview?${query}`)
  return { status: response.status, body: await response.json() }
}

describe('a preview', () => {
  it.each(['voice_id=Clara&model_id=svc-tts-2', 'voice_id=Kit', 'voiceId=Kit'])(
    'is a spoken MP3: %s',
    async (query) => {
      const { status, body } = await preview(query)
      expect(status).toBe(200)
      const audio = Buffer.from(body.audioContent, 'base64')
      expect(readSampleFormat(audio)).toBe('MP3')
      const meter = createDurationMeter('MP3', 48_000)
      meter.push(audio)
      expect(meter.seconds).toBeGreaterThan(1)
      expect(meter.seconds).toBeLessThan(6)
    },
  )

  it('contains the name of the voice, unless the voice cannot speak it', async () => {
    const speak = async (displayName: string) => {
      await testApp.voiceList.clones.remove('local__anna').catch(() => {})
      await testApp.voiceList.clones.add(makeClonedVoice('anna', { displayName }))
      const { body } = await preview('voice_id=local__anna')
      return body.audioContent as string
    }
    const unsaid = await speak('祖母')
    expect(await speak('Anna')).not.toBe(await speak('Margaret'))
    expect(await speak('a'.repeat(100))).toBe(unsaid)
  })

  it('is spoken by a clone that has the short name', async () => {
    await testApp.voiceList.clones.remove('local__anna').catch(() => {})
    await testApp.voiceList.clones.add(makeClonedVoice('anna', { displayName: 'Anna' }))
    expect(await preview('voice_id=anna')).toEqual(await preview('voice_id=local__anna'))
  })

  it('does not interpret markup in a name', async () => {
    const secondsOf = async (displayName: string) => {
      await testApp.voiceList.clones.remove('local__anna').catch(() => {})
      await testApp.voiceList.clones.add(makeClonedVoice('anna', { displayName }))
      const { status, body } = await preview('voice_id=local__anna')
      expect(status).toBe(200)
      const meter = createDurationMeter('MP3', 48_000)
      meter.push(Buffer.from(body.audioContent, 'base64'))
      return meter.seconds
    }
    expect(await secondsOf('A & B <break time="9s"/>')).toBeLessThan(9)
    for (const name of ['Anna <b>', 'Anna <break>', 'Anna [laugh]', 'Anna /kæt/', '<verbatim>']) {
      expect(await secondsOf(name)).toBeGreaterThan(1)
    }
  })

  it.each([
    ['', 400, /voiceId must not be empty/],
    ['voice_id=Nobody', 404, /Unknown voice: Nobody/],
    ['voice_id=Clara&model_id=none', 400, /none.*svc-tts-2/],
  ])('is rejected for the query "%s"', async (query, status, message) => {
    expect(await preview(query)).toMatchObject({ status, body: { message } })
  })
})
