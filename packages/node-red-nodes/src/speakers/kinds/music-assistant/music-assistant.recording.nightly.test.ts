import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { describeDevice } from '../../test-suites/device-test-suite.ts'
import { describeDriver } from '../../test-suites/driver-test-suite.ts'
import { createStandInCase } from './music-assistant.test-case.ts'

const programs = [...pulsePrograms, 'ffmpeg'] as const
const patient = () => createStandInCase('plays')
const announces = () => createStandInCase('announces')

describeDriver('a player of Music Assistant', programs, patient)
describeDevice('a player of Music Assistant', programs, patient)
describeDriver('a player that announces by itself', programs, announces)

it(
  'a player that only takes an announcement has played it after its length',
  needs(...programs),
  async () => {
    const { driver, record, close } = await createStandInCase('takes')
    onTestFinished(async () => {
      await driver.close()
      await close()
    })
    const signal = AbortSignal.timeout(30_000)
    const format = await driver.prepare(signal)
    const pcm = tone({ hertz: 700, seconds: 1.5, sampleRateHertz: format.sampleRateHertz })
    const sound = soundOf(format, await encodeMp3(pcm, format))
    const recording = await record()
    const played = await driver.play(sound, {
      ...{ signal, volume: 100 },
      ...{ onFirstSound() {}, handOut() {} },
    })
    expect(played).toEqual({ confirmedBy: 'duration' })
    expect((await recording.stop()).tonesHertz).toEqual([700])
  },
)
