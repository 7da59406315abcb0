import { execFileSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { hasPulse } from '@parlando/test-support/audio/pulse'
import { tone } from '@parlando/test-support/audio/tone'
import { runningChildProcesses } from '@parlando/test-support/child-processes'
import { findProgram } from '@parlando/test-support/find-program'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSound, type Sound, type SoundFormat, soundOf } from '../sounds/sound.ts'
import type { PlayOptions } from './driver.ts'
import type { CreateDriverCase, DriverCase } from './driver-case.ts'
import { drivers } from './registry.ts'

const ffmpeg = findProgram('ffmpeg', 'loudspeakers that take MP3 are not tested')

/** A tone in the format that a loudspeaker takes. */
function encodedTone(hertz: number, seconds: number, format: SoundFormat): Buffer {
  const { audioEncoding, sampleRateHertz } = format
  const input = tone({ hertz, seconds, sampleRateHertz })
  if (audioEncoding === 'PCM') return input
  const source = ['-f', 's16le', '-ar', String(sampleRateHertz), '-ac', '1', '-i', 'pipe:0']
  // Without headers, the tones join to one sound.
  const bare = ['-write_xing', '0', '-id3v2_version', '0']
  const target = ['-f', audioEncoding.toLowerCase(), ...bare, 'pipe:1']
  return execFileSync(ffmpeg!, ['-loglevel', 'error', ...source, ...target], { input })
}

describe.skipIf(!hasPulse).each(Object.keys(drivers))('the loudspeaker "%s"', (kind) => {
  let speaker: DriverCase
  let format: SoundFormat
  const processesBefore = runningChildProcesses().length

  beforeAll(async () => {
    const { default: createCase } = await import(`./${kind}/${kind}.case.ts`)
    speaker = await (createCase as CreateDriverCase)()
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
    let firstSounds = 0
    const played = play(sound, { onFirstSound: () => firstSounds++ })
    for (const hertz of [500, 900, 1300]) {
      sound.append(encodedTone(hertz, 0.4, format))
      await delay(100)
    }
    sound.complete()
    expect(await played).toEqual({
      confirmedBy: expect.stringMatching(/^(player|process|duration)$/),
    })
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([500, 900, 1300])
    expect(heard.durationMs).toBeGreaterThan(1150)
    expect(firstSounds).toBe(1)
  })

  it('plays two sounds in order, without overlap', async () => {
    const recording = await speaker.record()
    await play(soundOf(format, encodedTone(700, 0.4, format)))
    await play(soundOf(format, encodedTone(1100, 0.4, format)))
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([700, 1100])
    expect(heard.durationMs).toBeGreaterThan(750)
  })

  it('is silent at once after an abort', async () => {
    const recording = await speaker.record()
    const controller = new AbortController()
    const { signal } = controller
    const played = play(soundOf(format, encodedTone(600, 10, format)), {
      signal,
      onFirstSound: () => setTimeout(() => controller.abort(new Error('stopped')), 500),
    })
    await expect(played).rejects.toThrow('stopped')
    const stoppedAt = performance.now()
    await delay(300)
    const heard = await recording.stop()
    expect(heard.endAt).toBeLessThan(stoppedAt + 200)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('plays nothing after an abort that came before', async () => {
    const recording = await speaker.record()
    const signal = AbortSignal.abort(new Error('stopped'))
    const sound = soundOf(format, encodedTone(600, 0.4, format))
    await expect(play(sound, { signal })).rejects.toThrow('stopped')
    expect((await recording.stop()).isSilent).toBe(true)
  })

  it('fails with the error of a sound that could not be made', async () => {
    const sound = createSound(format)
    sound.append(encodedTone(600, 0.4, format))
    const played = play(sound, {
      onFirstSound: () => sound.fail(new Error('the service is gone')),
    })
    await expect(played).rejects.toThrow('the service is gone')
  })

  it('says why it cannot play', async () => {
    const { driver, code } = speaker.broken
    const sound = soundOf(format, encodedTone(600, 0.4, format))
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
})
