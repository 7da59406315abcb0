import { writeWavHeader } from '@parlando/core/audio'
import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import {
  connectTo,
  startWyoming,
} from '@parlando/test-support/local-service/wyoming/wyoming-service'
import { describe, expect, it } from 'vitest'
import type { WyomingEvent } from '../../remote/wyoming/event.ts'

const app = useTestApp()
const start = () => startWyoming(app)

const typesOf = (events: readonly WyomingEvent[]) => [...new Set(events.map(({ type }) => type))]

/** The speech as the WAV file that Home Assistant writes. */
function toWav(events: readonly WyomingEvent[]): Buffer {
  const [first] = events.filter(({ type }) => type === 'audio-start')
  const { rate, width, channels } = first!.data as Record<string, number>
  expect({ width, channels }).toEqual({ width: 2, channels: 1 })
  const pcm = Buffer.concat(events.map(({ payload }) => payload))
  const header = writeWavHeader({ sampleRateHertz: rate!, dataBytes: pcm.length })
  return Buffer.concat([header, pcm])
}

describe('speech over the Wyoming protocol', () => {
  it('speaks a text as one piece of audio', async () => {
    const { server } = await start()
    const client = connectTo(server)
    const text = 'The laundry is done.'
    client.send('synthesize', { text, voice: { name: 'Clara' } })
    const events = await client.readUntil('audio-stop')
    expect(typesOf(events)).toEqual(['audio-start', 'audio-chunk', 'audio-stop'])
    expect(events[0]!.data).toEqual({ rate: 24_000, width: 2, channels: 1, timestamp: 0 })
    const times = events.map(({ data }) => data['timestamp'] as number)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    await expectSpoken(toWav(events), text)
  })

  it('speaks each sentence of a text while it is being written, as one piece of audio', async () => {
    const { server } = await start()
    const client = connectTo(server)
    client.send('synthesize-start', { voice: { name: 'Clara' } })
    client.send('synthesize-chunk', { text: 'The laundry is' })
    client.send('synthesize-chunk', { text: ' done. The' })
    // The first sentence is spoken before the second one is complete.
    const first = await client.readUntil('audio-chunk')
    client.send('synthesize-chunk', { text: ' kitchen window is open.' })
    // Clients repeat the whole text, for servers that cannot stream.
    const whole = 'The laundry is done. The kitchen window is open.'
    client.send('synthesize', { text: whole, voice: { name: 'Clara' } })
    client.send('synthesize-stop')
    const events = [...first, ...(await client.readUntil('synthesize-stopped'))]
    const types = events.map(({ type }) => type)
    expect(types.filter((type) => type !== 'audio-chunk')).toEqual([
      'audio-start',
      'audio-stop',
      'synthesize-stopped',
    ])
    await expectSpoken(toWav(events), whole)
  })

  it('reads a text like every other endpoint, whole and letter by letter', async () => {
    const { server } = await start()
    const text = 'The PIN is 4071. Call 911 in St. Louis.'
    const words = 'The PIN is four zero seven one. Call nine one one in Saint Louis.'
    const speak = async (text: string, pieces?: readonly string[]) => {
      const client = connectTo(server)
      if (!pieces) client.send('synthesize', { text })
      else client.send('synthesize-start', {})
      for (const piece of pieces ?? []) client.send('synthesize-chunk', { text: piece })
      if (pieces) client.send('synthesize-stop')
      return toWav(await client.readUntil('audio-stop')).toString('base64')
    }
    const whole = await speak(text)
    expect(whole).toBe(await speak(words))
    expect(await speak('', Array.from(text))).toBe(await speak('', Array.from(words)))
  })

  it('ends a stream without any text', async () => {
    const { server } = await start()
    const client = connectTo(server)
    client.send('synthesize-start', {})
    client.send('synthesize-stop')
    const types = (await client.readUntil('synthesize-stopped')).map(({ type }) => type)
    expect(types).toEqual(['audio-start', 'audio-stop', 'synthesize-stopped'])
  })

  it('chooses the voice by its language, or the default voice', async () => {
    const { server } = await start()
    const speak = async (voice?: object) => {
      const client = connectTo(server)
      client.send('synthesize', { text: 'Hello', ...(voice && { voice }) })
      const events = await client.readUntil('audio-stop')
      return toWav(events).toString('base64')
    }
    expect(await speak({ language: 'en_GB' })).toBe(await speak({ name: 'Angus' }))
    expect(await speak({ language: 'en' })).toBe(await speak({ name: 'Clara' }))
    expect(await speak()).toBe(await speak({ name: 'Clara' }))
  })
})
