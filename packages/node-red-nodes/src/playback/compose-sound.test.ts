import { describe, expect, it } from 'vitest'
import { createSound, type SoundFormat, soundOf } from '../sounds/sound.ts'
import { type ChimeName, chimeNames } from './chime.ts'
import { composeSound } from './compose-sound.ts'

const pcm = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const bytesPerMs = 48
const chimeBytes = 800 * bytesPerMs

async function bytesOf(sound: ReturnType<typeof composeSound>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of sound.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const speech = Buffer.alloc(1000 * bytesPerMs, 1)

describe('the sound of an announcement', () => {
  it('is silence, the chime, the speech and silence', async () => {
    const around = { leadInMs: 100, chime: 'doorbell', leadOutMs: 200 } as const
    const bytes = await bytesOf(composeSound(soundOf(pcm, speech), around))
    const speechAt = 100 * bytesPerMs + chimeBytes
    expect(bytes.length).toBe(speechAt + speech.length + 200 * bytesPerMs)
    expect(bytes.subarray(0, 100 * bytesPerMs).every((byte) => byte === 0)).toBe(true)
    expect(bytes.subarray(speechAt, speechAt + speech.length)).toEqual(speech)
    expect(bytes.subarray(speechAt + speech.length).every((byte) => byte === 0)).toBe(true)
  })

  it('is only the speech if nothing else is asked for', async () => {
    const around = { leadInMs: 0, leadOutMs: 0 }
    expect(await bytesOf(composeSound(soundOf(pcm, speech), around))).toEqual(speech)
  })

  it('has its chime before the speech exists', () => {
    const around = { leadInMs: 0, chime: 'doorbell', leadOutMs: 0 } as const
    expect(composeSound(createSound(pcm), around).byteLength).toBe(chimeBytes)
  })

  it('has the words of the speech at their times in the whole sound, as they are made', async () => {
    const made = createSound(pcm)
    const sound = composeSound(made, { leadInMs: 200, chime: 'doorbell', leadOutMs: 0 })
    const read: (readonly object[])[] = []
    const reading = (async () => {
      for await (const words of sound.readWords(new AbortController().signal)) read.push(words)
    })()
    for (const [text, startSeconds] of [
      ['Dinner', 0],
      ['is', 0.5],
    ] as const) {
      made.addWords([{ text, startSeconds }])
      made.append(speech)
      await expect.poll(() => read.flat().length).toBeGreaterThan(startSeconds)
    }
    made.addWords([{ text: 'ready.', startSeconds: 1 }])
    made.complete()
    await reading
    expect(read.flat()).toEqual([
      { text: 'Dinner', startSeconds: 1 },
      { text: 'is', startSeconds: 1.5 },
      { text: 'ready.', startSeconds: 2 },
    ])
  })

  it('fails with the speech', async () => {
    const speech = createSound(pcm)
    const sound = composeSound(speech, { leadInMs: 0, chime: 'doorbell', leadOutMs: 0 })
    speech.fail(new Error('no speech'))
    await expect(sound.completed).rejects.toThrow('no speech')
  })
})

describe('the chime', () => {
  const samplesOf = async (sampleRateHertz: number, chime: ChimeName = 'doorbell') => {
    const format: SoundFormat = { audioEncoding: 'PCM', sampleRateHertz }
    const around = { leadInMs: 0, chime, leadOutMs: 0 }
    const bytes = await bytesOf(composeSound(soundOf(format, new Uint8Array(0)), around))
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  }

  it.each(chimeNames)(
    '%s is softer than speech and has no click at its start or end',
    async (name) => {
      const samples = await samplesOf(24_000, name)
      const peak = Math.max(...samples.map(Math.abs)) / 32_768
      expect(peak).toBeGreaterThan(0.15)
      expect(peak).toBeLessThan(0.5)
      expect([samples[0], Math.abs(samples.at(-1)!) < 10]).toEqual([0, true])
      const steps = samples.slice(1).map((sample, index) => Math.abs(sample - samples[index]!))
      expect(Math.max(...steps) / 32_768).toBeLessThan(0.15)
    },
  )

  it.each([8000, 44_100, 48_000])('lasts 0.8 s at %i Hz, too', async (hertz) => {
    expect((await samplesOf(hertz)).length).toBe(Math.round(0.8 * hertz))
  })
})
