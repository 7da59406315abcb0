import { describe, expect, it } from 'vitest'
import { speech, useTestApp } from '../testing.ts'

const used = useTestApp()

describe('a request that cannot be served', () => {
  it.each([
    ['a body that is not JSON', 400, 3, '{"text":', /not JSON/],
    ['a body that is no object', 400, 3, '[]', /./],
    ['no text', 400, 3, { ...speech, text: undefined }, /text/],
    ['an empty text', 400, 3, { ...speech, text: ' \n' }, /text: there is no text/],
    ['a text that is no text', 400, 3, { ...speech, text: 7 }, /text/],
    ['text in another script', 400, 3, { ...speech, text: '今日は' }, /cannot say/],
    ['nothing to say', 400, 3, { ...speech, text: '?!' }, /no letter/],
    ['an unknown voice', 404, 5, { ...speech, voiceId: 'Nobody' }, /Nobody.*Clara/],
    ['an unknown model', 400, 3, { ...speech, modelId: 'svc-tts-9' }, /svc-tts-9.*svc-tts-2/],
    ['a misspelt field', 400, 3, { ...speech, voiceID: 'Clara' }, /voiceID/],
    ['a rate of its own', 400, 3, { ...speech, audioConfig: { sampleRateHertz: 1 } }, /sampleRate/],
    [
      'a rate the encoding cannot carry',
      400,
      3,
      { ...speech, audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 8000 } },
      /MP3 cannot carry 8000/,
    ],
    ['an encoding', 501, 12, { ...speech, audioConfig: { audioEncoding: 'FLAC' } }, /FLAC/],
    ['a speaking rate', 501, 12, { ...speech, audioConfig: { speakingRate: 1.2 } }, /speakingRate/],
    ['timestamps', 501, 12, { ...speech, timestampType: 'WORD' }, /timestampType/],
    ['another language', 501, 12, { ...speech, language: 'de-DE' }, /language de-DE/],
  ])('is answered with a fitting status: %s', async (_what, status, code, body, message) => {
    for (const path of ['/tts/v1/voice', '/tts/v1/voice:stream']) {
      const response = await used.post(path, body)
      expect(response.status).toBe(status)
      const problem = await response.json()
      expect(problem).toEqual({ code, message: expect.stringMatching(message), details: [] })
    }
  })

  it('is refused when it is too large', async () => {
    const response = await used.post('/tts/v1/voice:stream', {
      ...speech,
      text: 'a'.repeat(2_000_000),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: /larger than/ })
  })

  it('is refused when the text is too long for one answer, and streams', async () => {
    const text = 'A word. '.repeat(600)
    expect((await used.post('/tts/v1/voice', { ...speech, text })).status).toBe(400)
    const response = await used.post('/tts/v1/voice:stream', { ...speech, text })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })
})
