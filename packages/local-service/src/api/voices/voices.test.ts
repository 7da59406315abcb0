import { speechRequest, useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import { library } from '../../voices/library.ts'

const testApp = useTestApp()

describe('voices', () => {
  const list = async (query = '') => {
    const response = await testApp.app.request(`/voices/v1/voices${query}`)
    return (await response.json()) as {
      voices: { voiceId: string }[]
      nextPageToken?: string
      totalSize: number
    }
  }

  it('are listed with their language and gender', async () => {
    const { voices, totalSize } = await list()
    expect(totalSize).toBe(voices.length)
    expect(voices).toContainEqual(
      expect.objectContaining({ voiceId: 'Clara', langCode: 'EN_US', gender: 'female' }),
    )
  })

  it('have every field of the protocol, empty ones included', async () => {
    const { voices } = await list()
    for (const voice of voices) {
      expect(voice).toEqual({
        voiceId: expect.any(String),
        displayName: expect.any(String),
        name: `workspaces/local/voices/${voice.voiceId}`,
        description: expect.any(String),
        langCode: expect.any(String),
        source: 'SYSTEM',
        tags: expect.any(Array),
        categories: ['local'],
        promptLanguages: [],
        gender: expect.any(String),
        ageGroup: expect.any(String),
      })
    }
  })

  it.each([
    ['?languages=EN', library.length],
    ['?languages=EN_US', library.length - 2],
    ['?languages=EN_GB', 2],
    ['?languages=', library.length],
    ['?languages=DE_DE', 0],
    ['?languages=DE_DE&languages=EN_GB', 2],
    ['?pageSize=3', 3],
    ['?pageSize=0', library.length],
    ['?page_size=3&filter=gender%20%3D%20male&order_by=display_name%20desc', 3],
  ])('are filtered by the query %s', async (query, count) => {
    expect((await list(query)).voices.length).toBe(count)
  })

  it('are listed page by page', async () => {
    const pageSize = library.length - 1
    const first = await list(`?pageSize=${pageSize}`)
    const last = await list(`?pageSize=${pageSize}&pageToken=${first.nextPageToken}`)
    expect([...first.voices, ...last.voices]).toEqual((await list()).voices)
    expect(last.nextPageToken).toBe('')
  })

  it('are the same in a workspace', async () => {
    const response = await testApp.app.request('/voices/v1/workspaces/mine/voices')
    expect(await response.json()).toEqual(await list())
  })

  it.each([
    ['pageSize=-1', /pageSize/],
    ['pageSize=many', /pageSize/],
    ['pageToken=x', /pageToken/],
    ['orderBy=age', /orderBy: age/],
    ['filter=age', /filter/],
    ['languages=*', /languages: \*/],
  ])('are not listed for the invalid query %s', async (query, message) => {
    const response = await testApp.app.request(`/voices/v1/voices?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 3, message })
  })

  it.each(['', '?filter=language=en'])('are listed in their older format%s', async (query) => {
    const response = await testApp.app.request(`/tts/v1/voices${query}`)
    const { voices } = (await response.json()) as { voices: object[] }
    expect(voices).toHaveLength(library.length)
    expect(voices[0]).toMatchObject({ voiceId: 'Clara', languages: ['en'], isCustom: false })
  })

  it('all speak, and about as loud as each other', async () => {
    const levels: number[] = []
    for (const { voiceId } of (await list()).voices) {
      const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 16000 }
      const response = await testApp.post('/tts/v1/voice', {
        ...speechRequest,
        voiceId,
        audioConfig,
      })
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
