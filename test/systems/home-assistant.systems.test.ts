import { setTimeout as delay } from 'node:timers/promises'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import {
  recordedFrames,
  recordFrames,
  shapesOf,
} from '@parlando/test-support/players/stand-ins/home-assistant/record-frames'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { soundOf } from '../../packages/node-red-nodes/src/sounds/sound.ts'
import { describeDevice } from '../../packages/node-red-nodes/src/speakers/test-suites/device-test-suite.ts'
import { describeDriver } from '../../packages/node-red-nodes/src/speakers/test-suites/driver-test-suite.ts'
import { createCase, type House, startHouse } from './home-assistant/home-assistant-case.ts'

const programs = [...pulsePrograms, 'mpd', 'mpc', 'mpg123', 'ffmpeg'] as const
const player = 'media_player.music_player_daemon'
const announcer = 'media_player.announcer'
const satellite = 'assist_satellite.hall'
const starts = 11

describe('a real Home Assistant', needs(...programs), () => {
  let house: House
  beforeAll(async () => {
    house = await startHouse()
  }, 1_800_000)
  afterAll(() => house.close())
  const caseOf = (entity: string) => async () => createCase(house, entity)

  describeDriver('with a media player', programs, caseOf(player))
  describeDevice('with a media player', programs, caseOf(player))
  describeDriver('with a media player that announces', programs, caseOf(announcer))
  describeDriver('with a satellite', programs, caseOf(satellite))

  it('begins about as soon as MPD by itself', async () => {
    const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
    const sound = soundOf(
      format,
      await encodeMp3(tone({ hertz: 500, seconds: 1, ...format }), format),
    )
    const { driver } = createCase(house, player)
    const signal = AbortSignal.timeout(300_000)
    const throughHomeAssistant = async () => {
      await driver.prepare(signal)
      await driver.play(sound, { signal, volume: 100, onFirstSound() {}, handOut() {} })
    }
    const byItself = async () => {
      const { url } = house.sounds.sounds.publish(sound)
      await house.mpd.mpc('clear')
      await house.mpd.mpc('add', url)
      await house.mpd.mpc('play')
      await delay(2500)
    }
    const startMs = { throughHomeAssistant: [] as number[], byItself: [] as number[] }
    for (let count = 0; count < starts; count++) {
      startMs.throughHomeAssistant.push(await measureStart(house, throughHomeAssistant))
      startMs.byItself.push(await measureStart(house, byItself))
    }
    await driver.close()
    const middle = (times: number[]) => Math.round(times.sort((a, b) => a - b)[starts >> 1]!)
    console.log(
      `The first sample is heard after ${middle(startMs.throughHomeAssistant)} ms through Home Assistant,`,
      `and after ${middle(startMs.byItself)} ms by MPD itself with mpc.`,
    )
  }, 300_000)

  it('sends what the stand-in sends', async () => {
    const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
    const mp3 = await encodeMp3(tone({ hertz: 500, seconds: 1, ...format }), format)
    const { address, token, request } = house.homeAssistant
    await house.mpd.mpc('stop')
    await request('POST', '/api/services/homeassistant/update_entity', { entity_id: player })
    const { url: sound } = house.sounds.sounds.publish(soundOf(format, mp3))
    const frames = await recordFrames({ address, token, player, satellite, sound })
    expect(shapesOf(frames)).toEqual(shapesOf(recordedFrames))
  })
})

/** @returns the milliseconds until the first sample was heard. */
async function measureStart({ pulse }: House, play: () => Promise<void>): Promise<number> {
  const recording = await pulse.record()
  const calledAt = performance.now()
  await play()
  return (await recording.stop()).onsetAt - calledAt
}
