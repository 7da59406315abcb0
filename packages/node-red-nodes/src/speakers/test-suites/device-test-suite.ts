import { setTimeout as delay } from 'node:timers/promises'
import { startScriptedDevice } from '@parlando/test-support/players/stand-ins/scripted-device'
import { needs, type Program } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSound, type Sound, type SoundFormat, soundOf } from '../../sounds/sound.ts'
import type { Driver, PlayOptions } from '../driver.ts'
import type { DeviceCase } from './driver-test-case.ts'
import { encodedTone } from './driver-test-suite.ts'

/** The slowest device notices after half a second that a sound is over, and then fills its buffer. */
const musicReturnsMs = 2500

/**
 * The tests that the driver of every device in the network passes, apart from those of every speaker.
 * @param programs What they need.
 */
export function describeDevice(
  name: string,
  programs: readonly Program[],
  createCase: () => Promise<DeviceCase>,
): void {
  describe(name, needs(...programs), () => {
    const tools = useDevice(createCase)
    testSounds(tools)
    testFailures(tools)
    testSlowSound(tools)
  })
}

/** A device that has started, and how the tests play on it. */
interface DeviceTools {
  device(): DeviceCase
  toneOf(hertz: number, seconds: number): Promise<Buffer>
  soundAt(hertz: number, seconds: number): Promise<Sound>
  newSound(): ReturnType<typeof createSound>
  play(sound: Sound, options?: Partial<PlayOptions>, driver?: Driver): ReturnType<Driver['play']>
  /** Plays a sound with another driver, and closes it at the end of the test. */
  attempt(driver: Driver): Promise<void>
}

/** Starts the device before the tests. */
function useDevice(createDeviceCase: () => Promise<DeviceCase>): DeviceTools {
  let device: DeviceCase
  let format: SoundFormat
  beforeAll(async () => {
    device = await createDeviceCase()
    format = await device.driver.prepare(AbortSignal.timeout(10_000))
  })
  afterAll(async () => {
    await device.driver.close()
    await device.wrongSecret?.driver.close()
    await device.close()
  })

  const tools: DeviceTools = {
    device: () => device,
    toneOf: (hertz, seconds) => encodedTone(hertz, seconds, format),
    soundAt: async (hertz, seconds) => soundOf(format, await tools.toneOf(hertz, seconds)),
    newSound: () => createSound(format),
    play: (sound, options = {}, driver = device.driver) =>
      driver.play(sound, {
        signal: AbortSignal.timeout(30_000),
        volume: 100,
        onFirstSound() {},
        handOut() {},
        ...options,
      }),
    async attempt(driver) {
      onTestFinished(() => driver.close())
      const sound = await tools.soundAt(600, 0.4)
      await driver.prepare(AbortSignal.timeout(30_000))
      await tools.play(sound, {}, driver)
    },
  }
  return tools
}

/** Resolves when the device plays its music, if it has any. A busy machine begins and returns to it late. */
async function untilMusic({ playMusic, record }: DeviceCase): Promise<void> {
  if (!playMusic) return
  const lastTone = async () => {
    const recording = await record()
    await delay(200)
    return (await recording.stop()).tonesHertz.at(-1)
  }
  await expect.poll(lastTone).toBe(300)
}

/** The device is afterwards as it was before. */
function testSounds({ device, soundAt, play }: DeviceTools): void {
  it('plays music before and after a sound, and is as it was', async () => {
    const { playMusic } = device()
    if (!playMusic) return
    await playMusic()
    await untilMusic(device())
    const recording = await device().record()
    const before = await device().state?.()
    await delay(500)
    await play(await soundAt(700, 0.6))
    await delay(musicReturnsMs)
    await untilMusic(device())
    expect(await device().state?.()).toEqual(before)
    const heard = await recording.stop()
    expect(heard.tonesHertz).toEqual([300, 700, 300])
  })

  it('is softer for a sound, and then as loud as before', async () => {
    const recording = await device().record()
    const before = await device().state?.()
    const times: number[] = []
    const note = () => void times.push(performance.now())
    await play(await soundAt(700, 1.5), { onFirstSound: note })
    await play(await soundAt(700, 1.5), { volume: 50, onFirstSound: note })
    await delay(300)
    const heard = await recording.stop()
    const levels = times.map((at) => heard.loudnessBetween(at + 300, at + 1200))
    const { volumeErrorDb = 2 } = device()
    expect(Math.abs(levels[0]! - levels[1]! - 6)).toBeLessThan(volumeErrorDb)
    expect(await device().state?.()).toEqual(before)
  })

  it('continues with the music after an abort', async () => {
    const recording = await device().record()
    const before = await device().state?.()
    const controller = new AbortController()
    const onFirstSound = () => void setTimeout(() => controller.abort(new Error('stopped')), 500)
    const { soundSeconds = 10, musicReturnsMs: returnsMs = musicReturnsMs } = device().stopped ?? {}
    const sound = await soundAt(700, soundSeconds)
    const played = play(sound, { signal: controller.signal, onFirstSound })
    await expect(played).rejects.toThrow('stopped')
    await delay(returnsMs)
    await untilMusic(device())
    expect(await device().state?.()).toEqual(before)
    const { tonesHertz } = await recording.stop()
    expect(tonesHertz.slice(-2)).toEqual(device().playMusic ? [700, 300] : [700])
  })
}

function testFailures({ device, soundAt, play, attempt }: DeviceTools): void {
  it('reports that it was switched off in the middle, and plays when it is on again', async () => {
    const { kill } = device()
    const off = play(await soundAt(700, 10), {
      onFirstSound: () => void setTimeout(kill, 300),
    })
    await expect(off).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    await expect(play(await soundAt(700, 1))).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
    })
    await device().start()
    const recording = await device().record()
    await play(await soundAt(900, 0.6))
    expect((await recording.stop()).tonesHertz).toContain(900)
  })

  it('is reported if it never responds', async () => {
    const silent = await startScriptedDevice()
    onTestFinished(silent.close)
    const { at } = device()
    if (!at) return
    await expect(attempt(at(silent.address, 300))).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
      message: expect.stringContaining(silent.address),
    })
  })

  it('is reported if it is another program', async () => {
    const other = await startScriptedDevice((socket) => {
      socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    })
    onTestFinished(other.close)
    const { at } = device()
    if (!at) return
    await expect(attempt(at(other.address))).rejects.toMatchObject({
      code: 'SPEAKER_REFUSED',
      message: expect.stringContaining(other.address),
    })
  })

  it('is reported if it hangs up at once', async () => {
    const closing = await startScriptedDevice((socket) => socket.end())
    onTestFinished(closing.close)
    const { at } = device()
    if (!at) return
    await expect(attempt(at(closing.address))).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
    })
  })

  it('says what is wrong with a secret', async () => {
    const { wrongSecret } = device()
    if (!wrongSecret) return
    await expect(attempt(wrongSecret.driver)).rejects.toMatchObject({
      code: 'SPEAKER_REFUSED',
      message: expect.stringMatching(wrongSecret.message),
    })
  })
}

function testSlowSound({ device, toneOf, newSound, play }: DeviceTools): void {
  it('plays a sound that takes longer to make than to play', async () => {
    const recording = await device().record()
    const sound = newSound()
    const played = play(sound)
    for (const hertz of [500, 900, 1300]) {
      sound.append(await toneOf(hertz, 0.5))
      await delay(700)
    }
    sound.complete()
    await played
    const { tonesHertz } = await recording.stop()
    expect(tonesHertz.filter((hertz) => hertz !== 300)).toEqual([500, 900, 1300])
  })
}
