import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import {
  type CastStandIn,
  startCastDevice,
} from '@parlando/test-support/players/stand-ins/cast/cast'
import type { CastBehaviour } from '@parlando/test-support/players/stand-ins/cast/cast-device'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import type { PlayOptions } from '../../driver.ts'
import { createCastDriver } from './cast.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const

async function startDriver(behaviour: CastBehaviour = 'plays', responseMs?: number) {
  const pulse = await startPulse()
  const cast = await startCastDevice(pulse.environment, behaviour)
  const { sounds, ...server } = await serveSounds()
  const driver = createCastDriver({
    RED: speakerTexts.en,
    sounds,
    config: { cast: cast.address },
    responseMs,
  })
  onTestFinished(async () => {
    await driver.close()
    await cast.close()
    await server.close()
    await pulse.stop()
  })
  const play = async (seconds: number, options: Partial<PlayOptions> = {}) => {
    const mp3 = await encodeMp3(tone({ hertz: 700, seconds, ...format }), format)
    return driver.play(soundOf(format, mp3), {
      signal: AbortSignal.timeout(20_000),
      volume: 100,
      onFirstSound() {},
      handOut() {},
      ...options,
    })
  }
  return { cast, driver, play }
}

const media = { contentId: '/nowhere.mp3', contentType: 'audio/mpeg', streamType: 'BUFFERED' }

describe('a Cast device', needs(...pulsePrograms, 'mpg123'), () => {
  it.each<[string, (cast: CastStandIn) => Promise<void>]>([
    ['plays something else', ({ device }) => device.load(media, 0)],
    ['stops it', ({ device }) => device.stop()],
    ['starts another application', ({ device }) => device.launch('233637DE')],
  ])('reports that somebody %s', async (_what, disturb) => {
    const { cast, play } = await startDriver()
    const played = play(5, { onFirstSound: () => void disturb(cast) })
    await expect(played).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
      message: expect.stringContaining('somebody probably stopped it'),
    })
  })

  it('that loses its network in the middle is reported, although no connection closes', async () => {
    const { cast, play } = await startDriver('plays', 800)
    await expect(play(5, { onFirstSound: cast.freeze })).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
      message: expect.stringContaining('does not respond'),
    })
  })

  it('is connected once for an announcement', async () => {
    const { cast, driver, play } = await startDriver()
    for (let announcement = 1; announcement <= 2; announcement++) {
      await driver.prepare(AbortSignal.timeout(10_000))
      await play(0.3)
      expect(cast.connections()).toBe(announcement)
    }
  })

  it('keeps the volume that somebody sets meanwhile', async () => {
    const { cast, play } = await startDriver()
    await play(0.4, { volume: 50, onFirstSound: () => cast.device.setVolume(0.3) })
    expect(cast.device.volume).toBe(0.3)
  })

  it('is as loud as before, also if the connection is lost', async () => {
    const { cast, play } = await startDriver()
    const lost = play(3, { volume: 50, onFirstSound: cast.disconnect })
    await expect(lost).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    expect(cast.device.volume).toBe(0.8)
  })

  it('whose volume is fixed plays at that', async () => {
    const { cast, play } = await startDriver('fixed-volume')
    await play(0.4, { volume: 50 })
    expect(cast.received.map(({ type }) => type)).not.toContain('SET_VOLUME')
  })

  it('shows the text that it says', async () => {
    const { cast, play } = await startDriver()
    await play(0.4, { text: 'The door\u0007 is open.' })
    const load = cast.received.find(({ type }) => type === 'LOAD')
    expect(load).toMatchObject({
      media: { streamType: 'BUFFERED', metadata: { title: 'The door is open.' } },
    })
  })

  it('keeps its music paused, where it was', async () => {
    const { cast, play } = await startDriver()
    await cast.device.launch('CC1AD845')
    cast.device.pause({ ...media, contentId: '/music.mp3' }, 12)
    await play(0.4)
    expect(cast.device.mediaStatus).toMatchObject([
      { playerState: 'PAUSED', currentTime: 12, media: { contentId: '/music.mp3' } },
    ])
  })
})
