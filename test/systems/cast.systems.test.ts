import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { startCastDevice } from '@parlando/test-support/players/stand-ins/cast/cast'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../packages/node-red-nodes/src/sounds/sound.ts'
import { usePythonEnvironment } from './python/python-environment.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
const client = fileURLToPath(new URL('python/play_on_cast.py', import.meta.url))

/** The client that Home Assistant uses. */
const installClient = () =>
  usePythonEnvironment('cast', { minVersion: 11, install: (pip) => pip('PyChromecast') })

it('the stand-in for a Cast device is one for pychromecast', {
  ...needs(...pulsePrograms, 'mpg123'),
  timeout: 300_000,
}, async () => {
  const programs = installClient()
  const pulse = await startPulse()
  const { sounds, ...server } = await serveSounds()
  const cast = await startCastDevice(pulse.environment)
  onTestFinished(async () => {
    await cast.close()
    await server.close()
    await pulse.stop()
  })
  const publish = async (hertz: number, seconds: number) => {
    const mp3 = await encodeMp3(tone({ hertz, seconds, ...format }), format)
    return sounds.publish(soundOf(format, mp3)).url
  }
  const addresses = [await publish(500, 1), await publish(900, 10)]
  const recording = await pulse.record()
  const options = [client, String(cast.port), ...addresses]
  const { stdout } = await promisify(execFile)(join(programs, 'python'), options)
  const { tonesHertz } = await recording.stop()
  expect(JSON.parse(stdout)).toEqual({
    app: 'Default Media Receiver',
    before: 0.8,
    after: 0.8,
    content: true,
    states: ['UNKNOWN', 'PLAYING', 'IDLE FINISHED', 'PLAYING', 'IDLE CANCELLED'],
    ended: true,
  })
  expect(tonesHertz).toContain(500)
})
