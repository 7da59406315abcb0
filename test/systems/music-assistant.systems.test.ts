import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { shapesOf } from '@parlando/test-support/players/stand-ins/home-assistant/record-frames'
import {
  modelMessages,
  startMusicAssistant,
} from '@parlando/test-support/players/stand-ins/music-assistant/music-assistant'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../packages/node-red-nodes/src/sounds/sound.ts'
import { run, usePythonEnvironment } from './python/python-environment.ts'

const scriptOf = (name: string) => fileURLToPath(new URL(`python/${name}`, import.meta.url))
const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
const programs = [...pulsePrograms, 'ffmpeg'] as const

describe('the stand-in of Music Assistant', needs(...programs), () => {
  let python: string
  beforeAll(() => {
    const programs = usePythonEnvironment('music-assistant', {
      // What its client needs.
      minVersion: 12,
      install: (pip) => pip('music-assistant-client'),
    })
    python = join(programs, 'python')
  }, 600_000)

  it('sends what the models of Music Assistant make', () => {
    const made = JSON.parse(run(python, scriptOf('music_assistant_messages.py')))
    const listed = (messages: object) =>
      Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, [message]]))
    expect(shapesOf(listed(modelMessages))).toEqual(shapesOf(listed(made)))
  })

  it('is used by the client of Music Assistant', async () => {
    const pulse = await startPulse()
    const server = await serveSounds()
    const players = { kitchen: 'plays', away: 'unavailable', rejects: 'rejects' } as const
    const musicAssistant = await startMusicAssistant(players, { environment: pulse.environment })
    onTestFinished(async () => {
      await musicAssistant.close()
      await server.close()
      await pulse.stop()
    })
    const pcm = tone({ hertz: 700, seconds: 1, ...format })
    const { url } = server.sounds.publish(soundOf(format, await encodeMp3(pcm, format)))
    const recording = await pulse.record()
    const client = [scriptOf('use_music_assistant.py'), musicAssistant.address]
    const { stdout } = await promisify(execFile)(python, [...client, musicAssistant.token, url])
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      rejectsWrongToken: true,
      players: { kitchen: true, away: false, rejects: true },
      stopped: 'idle',
      rejection: 'PlayerCommandFailed: The player cannot play',
    })
    expect(report.awaySeconds).toBeLessThan(0.5)
    // The length of the sound, and the two seconds that Music Assistant waits for.
    expect(report.kitchenSeconds).toBeGreaterThan(2.9)
    expect(report.states).toContainEqual(['playing', 40])
    expect(report.states.at(-1)).toEqual(['idle', 80])
    expect((await recording.stop()).tonesHertz[0]).toBe(700)
  }, 120_000)
})
