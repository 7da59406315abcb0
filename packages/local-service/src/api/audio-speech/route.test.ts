import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'

const testApp = useTestApp()
const speech = { model: 'svc-tts-2', input: 'The laundry is done.', voice: 'Clara' }

describe('an error in the OpenAI format', () => {
  it.each([
    [400, { input: ' ' }, /^input must contain text to speak/],
    [400, { input: undefined }, /^input is missing/],
    [400, { input: 'a'.repeat(4001) }, /^input: 4001 characters exceed the limit of 4000/],
    [400, { input: '?!' }, /^input: There is nothing/],
    [400, { input: '今日は' }, /^input: The voices of this device/],
    [
      400,
      { input: 'A <break time="60s"/> b' },
      /^input: <break time="60s"\/> is not a valid break/,
    ],
    [501, { input: 'Ha [laugh] ha' }, /^input: \[laugh\] is not supported/],
    [404, { voice: 'Nobody' }, /^Unknown voice: Nobody/],
    [400, { model: 'tts-1' }, /^Unknown model: tts-1/],
    [400, { speed: 4 }, /^speed must be between 0.5 and 1.5/],
    [501, { instructions: 'softly' }, /^instructions: .*leave it out, or use speed$/],
    [501, { response_format: 'aac' }, /^response_format: this service does not support aac/],
    [400, { voiceId: 'Clara' }, /^voiceId is not a known field: did you mean voice\?/],
    [400, { colour: 1 }, /^colour is not a known field; known fields: model, input, voice/],
  ])('names the field of the request: %i, %j', async (status, change, message) => {
    const response = await testApp.post('/v1/audio/speech', { ...speech, ...change })
    expect(response.status).toBe(status)
    const { error } = await response.json()
    expect(error.message).toMatch(message)
    expect(error.message).not.toMatch(/text:|instruction:|audioConfig|deliveryMode/)
  })
})
