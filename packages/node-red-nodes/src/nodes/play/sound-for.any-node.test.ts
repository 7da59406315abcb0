import { recogniseEncoding } from '@parlando/core/audio'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { describe, expect, it } from 'vitest'
import { createSound, type SoundFormat, soundOf } from '../../sounds/sound.ts'
import { soundFor as soundUntil } from './sound-for.ts'

const RED = { _: (key: string) => key }
const pcm: SoundFormat = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
const files: SoundFormat = { audioEncoding: 'MP3', sampleRateHertz: 44_100 }
const second = tone({ seconds: 1, sampleRateHertz: 24_000, hertz: 440 })
const { signal } = new AbortController()
const soundFor = (sound: ReturnType<typeof soundOf>) => soundUntil(RED, files, sound, signal)

describe('for a speaker that takes files', () => {
  it('samples that are still arriving are MP3 that can be heard before they are complete', async () => {
    const sound = createSound(pcm)
    const file = soundFor(sound)
    for (let at = 0; at < second.length; at += 777) sound.append(second.subarray(at, at + 777))
    const { value: start } = await file.read(signal).next()
    expect(recogniseEncoding(start!)).toBe('MP3')
    expect(file.format).toEqual(files)
    sound.append(second)
    sound.complete()
    await file.completed
    // The encoder puts silence around the sound.
    expect(file.durationSeconds).toBeGreaterThan(2)
    expect(file.durationSeconds).toBeLessThan(2.1)
  })

  it('complete samples are a WAV file, and a file stays as it is', async () => {
    const file = soundFor(soundOf(pcm, second))
    await file.completed
    expect(file.format).toEqual({ audioEncoding: 'WAV', sampleRateHertz: 24_000 })
    expect(file.durationSeconds).toBe(1)
    const flac = createSound({ audioEncoding: 'FLAC', sampleRateHertz: 24_000 })
    expect(soundFor(flac)).toBe(flac)
  })

  it('samples that fail fail the file, with their error', async () => {
    const sound = createSound(pcm)
    const file = soundFor(sound)
    sound.append(second)
    sound.fail(new Error('the conversation is over'))
    await expect(file.completed).rejects.toThrow('the conversation is over')
  })
})
