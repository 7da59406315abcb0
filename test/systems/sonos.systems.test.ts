import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { startSonosPlayer } from '@parlando/test-support/players/stand-ins/sonos/sonos'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../packages/node-red-nodes/src/sounds/sound.ts'
import { usePythonEnvironment } from './python/python-environment.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
const client = fileURLToPath(new URL('python/play_on_sonos.py', import.meta.url))
/** The clients know no other one. */
const port = 1443

/** The clients that Home Assistant and Music Assistant use. */
const installClients = () =>
  usePythonEnvironment('sonos', {
    minVersion: 11,
    install: (pip) => pip('sonos-websocket', 'aiosonos'),
  })

it('the stand-in for a Sonos player is one for two other clients', {
  ...needs(...pulsePrograms, 'mpg123'),
  timeout: 300_000,
}, async () => {
  const programs = installClients()
  const pulse = await startPulse()
  const { sounds, ...server } = await serveSounds()
  const sonos = await startSonosPlayer({ ...pulse, port })
  onTestFinished(async () => {
    await sonos.close()
    await server.close()
    await pulse.stop()
  })
  const publish = async (hertz: number, seconds: number) => {
    const mp3 = await encodeMp3(tone({ hertz, seconds, ...format }), format)
    return sounds.publish(soundOf(format, mp3)).url
  }
  const addresses = [await publish(500, 1), await publish(900, 10)]
  const recording = await pulse.record()
  const { stdout } = await promisify(execFile)(join(programs, 'python'), [client, ...addresses])
  const heard = await recording.stop()
  expect(JSON.parse(stdout)).toEqual({
    aiosonos: { states: ['ACTIVE', 'DONE'], volume: 80, id: true, players: ['Kitchen'] },
    'sonos-websocket': {
      played: true,
      cancelled: true,
      again: false,
      error: 'ERROR_AUDIO_CLIP_ID_NOT_FOUND',
    },
  })
  expect(heard.tonesHertz).toEqual([500, 900])
  expect(heard.durationMs).toBeLessThan(9000)
})
