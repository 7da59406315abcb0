import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { describeDevice } from '../../test-suites/device-test-suite.ts'
import { describeDriver } from '../../test-suites/driver-test-suite.ts'
import { createStandInCase } from './home-assistant.test-case.ts'

const programs = [...pulsePrograms, 'mpg123'] as const
const announces = () => createStandInCase('announces')

describeDriver('a media player that announces', programs, announces)
describeDevice('a media player that announces', programs, announces)
describeDriver('a satellite', programs, () => createStandInCase('satellite'))

/** A device, a recording of it, and a function that plays a tone. */
async function startDevice() {
  const device = await createStandInCase('plays')
  onTestFinished(async () => {
    await device.driver.close()
    await device.close()
  })
  const format = await device.driver.prepare(AbortSignal.timeout(10_000))
  const { sampleRateHertz } = format
  const pcm = tone({ hertz: 700, seconds: 1.5, sampleRateHertz })
  const sound = soundOf(format, await encodeMp3(pcm, { sampleRateHertz }))
  const play = (volume: number, onFirstSound: () => void) => {
    const signal = AbortSignal.timeout(30_000)
    return device.driver.play(sound, { signal, volume, onFirstSound, handOut() {} })
  }
  return { ...device, play, recording: await device.record() }
}

it('a media player plays to the end without Home Assistant', needs(...programs), async () => {
  const { play, homeAssistant, recording } = await startDevice()
  const played = play(100, () => homeAssistant.restart())
  expect(await played).toEqual({ confirmedBy: 'duration' })
  expect((await recording.stop()).durationMs).toBeGreaterThan(1450)
})

it('a media player that is off is set to a volume when it is on', needs(...programs), async () => {
  const { play, homeAssistant } = await startDevice()
  const device = homeAssistant.device('media_player.kitchen')
  const volumes: number[] = []
  const played = play(50, () => setTimeout(() => volumes.push(device.volume), 500))
  expect(await played).toEqual({ confirmedBy: 'player' })
  expect(volumes[0]).toBeCloseTo(0.8 * Math.cbrt(0.5))
  expect(device.volume).toBe(0.8)
})

it('a volume that somebody has set meanwhile stays', needs(...programs), async () => {
  const { play, homeAssistant } = await startDevice()
  const device = homeAssistant.device('media_player.kitchen')
  const change = () => void device.call('volume_set', { volume_level: 0.3 })
  await play(50, () => setTimeout(change, 500))
  expect(device.volume).toBe(0.3)
})
