import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSound } from '../../../sounds/sound.ts'
import type { Music } from '../../kind-settings.ts'
import { createMachineDriver } from './machine.ts'

const run = promisify(execFile)
const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
describe('the music of other programs', needs(...pulsePrograms, 'pactl'), () => {
  let pulse: Pulse
  beforeAll(async () => {
    pulse = await startPulse()
  })
  afterAll(() => pulse.stop())

  const pactl = (...args: string[]) => run('pactl', args, { env: pulse.environment })
  /** Another program plays until the end of the test. */
  async function playMusic() {
    const args = ['--raw', '--format=s16le', '--channels=1', '--rate=24000', '--latency-msec=100']
    const program = spawn('pacat', ['--playback', ...args], { env: pulse.environment })
    onTestFinished(async () => {
      const exited = once(program, 'exit')
      program.kill()
      await exited
    })
    program.stdin.on('error', () => {})
    program.stdin.write(tone({ hertz: 300, seconds: 30, sampleRateHertz: 24_000 }))
    await pulse.record().then(async (recording) => {
      await recording.heard
      await recording.stop()
    })
  }
  async function loudness(): Promise<number> {
    const recording = await pulse.record()
    await delay(150)
    const { loudnessDb } = await recording.stop()
    return loudnessDb
  }
  /** After an announcement, the music soon has its volume again. */
  const expectLoudness = (wantedDb: number) =>
    expect
      .poll(async () => Math.abs((await loudness()) - wantedDb), { timeout: 10_000 })
      .toBeLessThan(0.5)
  function driverWith(music: Music) {
    const driver = createMachineDriver({
      RED: speakerTexts.en,
      environment: pulse.environment,
      music,
    })
    onTestFinished(() => driver.close())
    return driver
  }
  /** Announces silence, whose level does not add to that of the music, until something is done. */
  async function announce(driver: ReturnType<typeof driverWith>, meanwhile: () => Promise<void>) {
    await driver.prepare(AbortSignal.timeout(10_000))
    const sound = createSound(format)
    sound.append(new Uint8Array(9600))
    await driver.play(sound, {
      signal: AbortSignal.timeout(30_000),
      volume: 100,
      onFirstSound: () => void meanwhile().then(() => sound.complete(), sound.fail.bind(sound)),
      handOut() {},
    })
  }

  it.each([
    ['14 dB softer', 'softer', -14],
    ['as loud as before', 'leave', 0],
    ['as loud as before, also where that of play stops', 'stop', 0],
  ] as const)(
    'is %s under an announcement, and as before after it',
    async (_how, music, differenceDb) => {
      await playMusic()
      const before = await loudness()
      let under = Number.NaN
      await announce(driverWith(music), async () => {
        under = await loudness()
      })
      expect(Math.abs(under - before - differenceDb)).toBeLessThan(1)
      await expectLoudness(before)
    },
  )

  it('stays as somebody sets it meanwhile', async () => {
    await playMusic()
    const before = await loudness()
    await announce(driverWith('softer'), async () => {
      const { stdout } = await pactl('list', 'short', 'sink-inputs')
      const [music] = stdout.trim().split(/\s/)
      await pactl('set-sink-input-volume', music!, String(Math.round(65_536 * Math.cbrt(0.5))))
    })
    await expectLoudness(before - 6)
  })

  it('is as before after two announcements that overlap', async () => {
    await playMusic()
    const before = await loudness()
    const first = driverWith('softer')
    let second = Promise.resolve()
    await announce(first, async () => {
      const isBegun = new Promise<void>((resolve) => {
        second = announce(driverWith('softer'), async () => resolve())
      })
      await isBegun
    })
    await second
    await expectLoudness(before)
  })

  it('stays softer between two sentences, and is as before once the speaker is closed', async () => {
    await playMusic()
    const before = await loudness()
    const driver = driverWith('softer')
    const levels: number[] = []
    for (const _sentence of [1, 2]) {
      await announce(driver, async () => {})
      const { stdout } = await pactl('list', 'sink-inputs')
      levels.push(Number(/Volume: [^:]*: +(\d+)/.exec(stdout)![1]))
    }
    const softly = Math.round(65_536 * Math.cbrt(0.2))
    expect(levels).toEqual([softly, softly])
    await driver.close()
    expect(Math.abs((await loudness()) - before)).toBeLessThan(0.5)
  })

  it('plays under an announcement only where a sound server mixes them', async () => {
    const driver = driverWith('softer')
    await driver.prepare(AbortSignal.timeout(10_000))
    expect(driver.playsOver!()).toBe(true)
    expect(driverWith('stop').playsOver!()).toBe(false)
    const environment = { ...pulse.environment, PULSE_SERVER: 'unix:/nonexistent' }
    const none = createMachineDriver({ RED: speakerTexts.en, environment, music: 'softer' })
    onTestFinished(() => none.close())
    await none.prepare(AbortSignal.timeout(10_000))
    expect(none.playsOver!()).toBe(false)
  })
})
