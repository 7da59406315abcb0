import { describe, expect, it } from 'vitest'
import { createSound, soundOf } from '../sound.ts'
import { respondTo } from './sound-route.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
const whole = soundOf(format, new Uint8Array(1000))

describe('the response to a player', () => {
  it.each([undefined, 'bytes=0-', 'bytes=500-'])(
    'has no length while the sound grows, with Range %s',
    (range) => {
      expect(respondTo(range, createSound(format))).toEqual({
        status: 200,
        headers: { 'Content-Type': 'audio/mpeg', 'Cache-Control': 'no-store' },
      })
    },
  )

  it.each<[range: string | undefined, status: number, start: number, end: number]>([
    [undefined, 200, 0, 1000],
    ['bytes=0-', 206, 0, 1000],
    ['bytes=10-19', 206, 10, 20],
    ['bytes=10-5000', 206, 10, 1000],
    ['bytes=-100', 206, 900, 1000],
    ['bytes=-5000', 206, 0, 1000],
    // Ignored, as RFC 9110 allows.
    ['bytes=20-10', 200, 0, 1000],
    ['bytes=0-1,5-9', 200, 0, 1000],
    ['seconds=1-', 200, 0, 1000],
    ['bytes=-', 200, 0, 1000],
  ])('to Range %s of a complete sound is %i with bytes %i to %i', (range, status, start, end) => {
    const response = respondTo(range, whole)
    expect(response).toMatchObject({ status, range: { start, end } })
    expect(response.headers).toMatchObject({
      'Content-Length': end - start,
      'Accept-Ranges': 'bytes',
    })
    const contentRange = status === 206 ? `bytes ${start}-${end - 1}/1000` : undefined
    expect(response.headers['Content-Range']).toBe(contentRange)
  })

  it.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])(
    'to Range %s beyond its end is 416',
    (range) => {
      const response = respondTo(range, whole)
      expect(response.status).toBe(416)
      expect(response.headers['Content-Range']).toBe('bytes */1000')
      expect(response.range).toBeUndefined()
    },
  )
})
