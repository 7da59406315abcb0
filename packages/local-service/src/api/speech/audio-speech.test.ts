import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'

const testApp = useTestApp()
const strictApp = useTestApp({ strict: true })
const speech = { model: 'svc-tts-2', input: 'The laundry is done.', voice: 'Clara' }

describe('an error in the OpenAI format', () => {
  it.each([
    [400, { input: ' ' }, /^input must contain text to speak/],
    [400, { input: undefined }, /^input is missing/],
    [400, { input: 'a'.repeat(4097) }, /^input: 4097 characters exceed the limit of 4096/],
    [400, { input: '?!' }, /^input: There is nothing/],
    [400, { input: '今日は' }, /^input: The voices of this device/],
    [
      400,
      { input: 'A <break time="60s"/> b' },
      /^input: <break time="60s"\/> is not a valid break/,
    ],
    [400, { input: 'Ha [laugh] ha' }, /^input: \[laugh\] is not supported/],
    [404, { voice: 'Nobody' }, /^Unknown voice: Nobody/],
    [400, { model: 'tts-1' }, /^Unknown model: tts-1/],
    [400, { speed: 4 }, /^speed must be between 0.5 and 1.5/],
    [400, { instructions: 'softly' }, /^instructions: .*leave it out, or use speed$/],
    [400, { response_format: 'aac' }, /^response_format: this service does not support aac/],
  ])('names the field of the request: %i, %j', async (status, change, message) => {
    const response = await testApp.post('/v1/audio/speech', { ...speech, ...change })
    expect(response.status).toBe(status)
    const { error } = await response.json()
    expect(error.message).toMatch(message)
    expect(error.message).not.toMatch(/text:|instruction:|audioConfig|deliveryMode/)
  })
})

describe('the speech of the OpenAI API', () => {
  it('speaks texts of the length at which its programs cut them, unless the service is strict', async () => {
    const input = 'Hi. '.repeat(1024)
    const body = { ...speech, input: `${input.slice(0, -1)}.`, response_format: 'pcm' }
    const path = '/v1/audio/speech'
    const [response, rejected] = [await testApp.post(path, body), await strictApp.post(path, body)]
    expect([response.status, rejected.status]).toEqual([200, 400])
    await response.body?.cancel()
  })

  it('accepts a voice as an object', async () => {
    const [one, other] = await Promise.all(
      ['Clara', { id: 'Clara' }].map(async (voice) => {
        const response = await testApp.post('/v1/audio/speech', { ...speech, voice })
        expect(response.status).toBe(200)
        return Buffer.from(await response.arrayBuffer())
      }),
    )
    expect(one).toEqual(other)
  })

  it('has the default voice instead of one of OpenAI, unless the service is strict', async () => {
    const request = { ...speech, voice: 'alloy' }
    const response = await testApp.post('/v1/audio/speech', request)
    expect(response.headers.get('x-parlando-ignored')).toBe('voice')
    const [expected, given] = await Promise.all(
      [await testApp.post('/v1/audio/speech', speech), response].map((one) => one.arrayBuffer()),
    )
    expect(Buffer.from(given!)).toEqual(Buffer.from(expected!))
    expect(await strictApp.post('/v1/audio/speech', request)).toMatchObject({ status: 404 })
  })

  it('is sent as events if the request asks for them', async () => {
    const asked = { ...speech, response_format: 'pcm' }
    const plain = await testApp.post('/v1/audio/speech', { ...asked, stream_format: 'audio' })
    const response = await testApp.post('/v1/audio/speech', { ...asked, stream_format: 'sse' })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = (await response.text())
      .trimEnd()
      .split('\n\n')
      .map((event) => JSON.parse(event.replace(/^data: /, '')))
    expect(events.pop()).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens: 20, output_tokens: 0, total_tokens: 20 },
    })
    expect(events.length).toBeGreaterThan(1)
    for (const { type } of events) expect(type).toBe('speech.audio.delta')
    const audio = Buffer.concat(events.map((event) => Buffer.from(event.audio, 'base64')))
    expect(audio).toEqual(Buffer.from(await plain.arrayBuffer()))
  })
})
