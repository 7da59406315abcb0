import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { encodeMp3 } from '@parlando/test-support/audio/encode-mp3'
import { tone } from '@parlando/test-support/audio/tone'
import { runningChildProcesses } from '@parlando/test-support/child-processes'
import { needs, type Program } from '@parlando/test-support/programs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSound, type Sound, type SoundFormat, soundOf } from '../../sounds/sound.ts'
import type { PlayOptions } from '../driver.ts'
import type { CreateDriverCase, DriverCase } from './driver-test-case.ts'

/** A tone in the format that a speaker takes. */
async function encodedTone(hertz: number, seconds: number, format: SoundFormat): Promise<Buffer> {
  const { audioEncoding, sampleRateHertz } = format
  const pcm = tone({ hertz, seconds, sampleRateHertz })
  return audioEncoding === 'MP3' ? encodeMp3(pcm, { sampleRateHertz }) : pcm
}

/**
 * The tests that the driver of every speaker passes.
 * @param programs What they need.
 */
export function describeDriver(
  name: string,
  programs: readonly Program[],
  createCase: CreateDriverCase,
): void {
  describe(name, needs(...programs), () => testDriver(createCase))
}

function testDriver(createCase: CreateDriverCase): void {
  let speaker: DriverCase
  let format: SoundFormat
  let processesBefore = 0

  beforeAll(async () => {
    processesBefore = runningChildProcesses().length
    speaker = await createCase()
    format = await speaker.driver.prepare(AbortSignal.timeout(10_000))
  })
  afterAll(async () => {
    await speaker.driver.close()
    await speaker.broken.driver.close()
    await speaker.close()
    expect(runningChildProcesses().length).toBe(processesBefore)
  })

  const play = (sound: Sound, options: Partial<PlayOptions> = {}) =>
    speaker.driver.play(sound, {
      signal: AbortSignal.timeout(30_000),
      volume: 100,
      text: 'a tone',
      onFirstSound() {},
      handOut: (message) => speaker.handOut?.(message),
      ...options,
    })

  it('plays a sound to its end while the sound grows', async () => {
    const recording = await speaker.record()
    const sound = createSound(format)
    let isHeard = false
    const played = play(sound, { onFirstSound: () => (isHeard = true) })
    for (const hertz of [500, 900, 1300]) {
      sound.append(await encodedTone(hertz, 0.4, format))
      await delay(100)
    }
    sound.complete()
    expect(await played).toEqual({
      confirmedBy: expect.stringMatching(/^(player|process|duration)$/),
    })
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([500, 900, 1300])
    expect(heard.durationMs).toBeGreaterThan(1150)
    expect(isHeard).toBe(true)
  })

  it('plays two sounds in order, without overlap', async () => {
    const recording = await speaker.record()
    await play(soundOf(format, await encodedTone(700, 0.4, format)))
    await play(soundOf(format, await encodedTone(1100, 0.4, format)))
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([700, 1100])
    expect(heard.durationMs).toBeGreaterThan(750)
  })

  it('is silent at once after an abort', async () => {
    const recording = await speaker.record()
    const controller = new AbortController()
    const { signal } = controller
    const played = play(soundOf(format, await encodedTone(600, 10, format)), {
      signal,
      onFirstSound: () => setTimeout(() => controller.abort(new Error('stopped')), 500),
    })
    await expect(played).rejects.toThrow('stopped')
    const stoppedAt = performance.now()
    await delay(300)
    const heard = await recording.stop()
    if (!speaker.silence) expect(heard.endAt).toBeLessThan(stoppedAt + 200)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('plays nothing after an abort that came before', async () => {
    await speaker.silence?.()
    const recording = await speaker.record()
    const signal = AbortSignal.abort(new Error('stopped'))
    const sound = soundOf(format, await encodedTone(600, 0.4, format))
    await expect(play(sound, { signal })).rejects.toThrow('stopped')
    expect((await recording.stop()).isSilent).toBe(true)
  })

  it('fails with the error of a sound that could not be made', async () => {
    const sound = createSound(format)
    // Some speakers begin when they have a second of the sound.
    sound.append(await encodedTone(600, 1.5, format))
    const played = play(sound, {
      onFirstSound: () => sound.fail(new Error('the service is gone')),
    })
    await expect(played).rejects.toThrow('the service is gone')
  })

  it('says why it cannot play', async () => {
    const { driver, code } = speaker.broken
    const sound = soundOf(format, await encodedTone(600, 0.4, format))
    const attempt = async () => {
      const signal = AbortSignal.timeout(30_000)
      await driver.prepare(signal)
      await driver.play(sound, { signal, volume: 100, onFirstSound() {}, handOut() {} })
    }
    await expect(attempt()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/\w\.$/),
    })
  })
}
