import { getEventListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { needs, type Program } from '@parlando/test-support/programs/installed-programs'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSound, type Sound, type SoundFormat, soundOf } from '../../sounds/sound.ts'
import type { Played, PlayOptions } from '../driver.ts'
import type { CreateDriverCase, DriverCase } from './driver-test-case.ts'

/** A tone in the format that a speaker takes. */
export async function encodedTone(
  hertz: number,
  seconds: number,
  format: SoundFormat,
): Promise<Buffer> {
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
  describe(name, needs(...programs), () => {
    const tools = useSpeaker(createCase)
    testPlaying(tools)
    testFailures(tools)
  })
}

/** A speaker that has started, and how the tests play on it. */
interface SpeakerTools {
  speaker(): DriverCase
  toneOf(hertz: number, seconds: number): Promise<Buffer>
  soundAt(hertz: number, seconds: number): Promise<Sound>
  newSound(): ReturnType<typeof createSound>
  play(sound: Sound, options?: Partial<PlayOptions>): Promise<Played>
}

/** Starts the speaker before the tests, and expects that it leaves no process behind. */
function useSpeaker(createCase: CreateDriverCase): SpeakerTools {
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

  const toneOf = (hertz: number, seconds: number) => encodedTone(hertz, seconds, format)
  return {
    speaker: () => speaker,
    toneOf,
    soundAt: async (hertz, seconds) => soundOf(format, await toneOf(hertz, seconds)),
    newSound: () => createSound(format),
    play: (sound, options = {}) =>
      speaker.driver.play(sound, {
        signal: AbortSignal.timeout(30_000),
        volume: 100,
        text: 'a tone',
        onFirstSound() {},
        handOut: (message) => speaker.handOut?.(message),
        ...options,
      }),
  }
}

function testPlaying({ speaker, toneOf, soundAt, newSound, play }: SpeakerTools): void {
  it('plays a sound to its end while the sound grows', async () => {
    const recording = await speaker().record()
    const sound = newSound()
    let isHeard = false
    const played = play(sound, { onFirstSound: () => (isHeard = true) })
    for (const hertz of [500, 900, 1300]) {
      sound.append(await toneOf(hertz, 0.4))
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
    const recording = await speaker().record()
    await play(await soundAt(700, 0.4))
    await play(await soundAt(1100, 0.4))
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([700, 1100])
    expect(heard.durationMs).toBeGreaterThan(750)
  })

  it('is silent at once after an abort', async () => {
    const recording = await speaker().record()
    const controller = new AbortController()
    const { signal } = controller
    const played = play(await soundAt(600, 10), {
      signal,
      onFirstSound: () => setTimeout(() => controller.abort(new Error('stopped')), 500),
    })
    await expect(played).rejects.toThrow('stopped')
    const stoppedAt = performance.now()
    await delay(300)
    const heard = await recording.stop()
    if (!speaker().silence) expect(heard.endAt).toBeLessThan(stoppedAt + 200)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('plays nothing after an abort that came before', async () => {
    await speaker().silence?.()
    const recording = await speaker().record()
    const signal = AbortSignal.abort(new Error('stopped'))
    const sound = await soundAt(600, 0.4)
    await expect(play(sound, { signal })).rejects.toThrow('stopped')
    expect((await recording.stop()).isSilent).toBe(true)
  })
}

function testFailures({ speaker, toneOf, soundAt, newSound, play }: SpeakerTools): void {
  it('fails with the error of a sound that could not be made', async () => {
    const sound = newSound()
    // Some speakers begin when they have a second of the sound.
    sound.append(await toneOf(600, 1.5))
    const played = play(sound, {
      onFirstSound: () => sound.fail(new Error('the service is gone')),
    })
    await expect(played).rejects.toThrow('the service is gone')
  })

  it('says why it cannot play', async () => {
    const { driver, code } = speaker().broken
    const sound = await soundAt(600, 0.4)
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
