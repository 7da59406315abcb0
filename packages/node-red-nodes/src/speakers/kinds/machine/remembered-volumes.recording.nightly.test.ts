import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createSound } from '../../../sounds/sound.ts'
import { createMachineDriver } from './machine.ts'

const run = promisify(execFile)
const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const loud = 65_536
const soft = Math.round(loud * Math.cbrt(0.2))

describe(
  'a sound server that remembers the volume of each program',
  needs('pulseaudio', 'pactl', 'pacat'),
  () => {
    let pulse: Pulse
    beforeEach(async () => {
      pulse = await startPulse([], { remembersVolumes: true })
    })
    afterEach(() => pulse.stop())

    /** The volumes of all that plays, the oldest first. */
    async function volumes(): Promise<number[]> {
      const env = { ...pulse.environment, LC_ALL: 'C' }
      const { stdout } = await run('pactl', ['list', 'sink-inputs'], { env })
      return [...stdout.matchAll(/Volume: [^:]*: +(\d+)/g)].map(([, volume]) => Number(volume))
    }
    const expectVolumes = (wanted: readonly number[]) =>
      expect.poll(volumes, { timeout: 20_000 }).toEqual(wanted)

    function createDriver() {
      const { environment } = pulse
      const driver = createMachineDriver({ RED: speakerTexts.en, environment, music: 'softer' })
      onTestFinished(() => driver.close())
      return driver
    }
    /** Plays silence until the driver is closed. */
    async function begin(isMusic: boolean) {
      const driver = createDriver()
      await driver.prepare(AbortSignal.timeout(20_000))
      const sound = createSound(format)
      sound.append(new Uint8Array(9600))
      const { signal } = new AbortController()
      const played = driver.play(sound, {
        signal,
        volume: 100,
        isMusic,
        onFirstSound() {},
        handOut() {},
      })
      played.catch(() => {})
      return driver
    }

    it('plays an announcement at its own volume while music is softer', async () => {
      await begin(true)
      await expectVolumes([loud])
      await begin(false)
      await expectVolumes([soft, loud])
    })

    it('plays two announcements at once at their own volume', async () => {
      await begin(false)
      await expectVolumes([loud])
      await begin(false)
      await expectVolumes([loud, loud])
    })

    it('plays music as before that began during an announcement', async () => {
      await begin(true)
      await expectVolumes([loud])
      const announcing = await begin(false)
      await expectVolumes([soft, loud])
      await begin(true)
      await expectVolumes([soft, loud, soft])
      await announcing.close()
      expect(await volumes()).toEqual([loud, loud])
    })

    it('plays music as before that has ended during an announcement', async () => {
      const playing = await begin(true)
      await expectVolumes([loud])
      const announcing = await begin(false)
      await expectVolumes([soft, loud])
      await playing.close()
      await expectVolumes([loud])
      await announcing.close()
      await begin(true)
      await expectVolumes([loud])
    })
  },
)
