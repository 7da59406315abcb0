import { describe, expect, it } from 'vitest'
import { speech, useTestApp } from '../testing.ts'

const used = useTestApp()

describe('voices', () => {
  const list = async (query = '') => {
    const response = await used.app.request(`/voices/v1/voices${query}`)
    return (await response.json()) as { voices: { voiceId: string }[]; totalSize: number }
  }

  it('are listed with what tells them apart', async () => {
    const { voices, totalSize } = await list()
    expect(totalSize).toBe(voices.length)
    expect(voices).toContainEqual(
      expect.objectContaining({ voiceId: 'Clara', langCode: 'EN_US', gender: 'female' }),
    )
  })

  it.each([
    ['?languages=EN_US', 4],
    ['?languages=en-us', 4],
    ['?languages=DE_DE', 0],
    ['?languages=DE_DE&languages=EN_US', 4],
  ])('are narrowed by language: %s', async (query, count) => {
    expect((await list(query)).voices.length).toBe(count)
  })

  it('all speak, and about as loud as each other', async () => {
    const levels: number[] = []
    for (const { voiceId } of (await list()).voices) {
      const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 16000 }
      const response = await used.post('/tts/v1/voice', { ...speech, voiceId, audioConfig })
      const { audioContent } = (await response.json()) as { audioContent: string }
      const pcm = Buffer.from(audioContent, 'base64')
      let power = 0
      for (let at = 0; at < pcm.length; at += 2) power += (pcm.readInt16LE(at) / 32768) ** 2
      levels.push(Math.sqrt(power / (pcm.length / 2)))
    }
    expect(Math.min(...levels)).toBeGreaterThan(0.05)
    expect(Math.max(...levels) / Math.min(...levels)).toBeLessThan(1.6)
  })
})
