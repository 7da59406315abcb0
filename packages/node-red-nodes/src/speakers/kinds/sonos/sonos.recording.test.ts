import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import {
  type SonosStandIn,
  startSonosPlayer,
} from '@parlando/test-support/players/stand-ins/sonos/sonos'
import type { SonosBehaviour } from '@parlando/test-support/players/stand-ins/sonos/sonos-device'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import type { PlayOptions } from '../../driver.ts'
import { createSonosDriver } from './sonos.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const

/** Players that play together. */
async function startDriver(behaviours: readonly SonosBehaviour[] = ['plays']) {
  const pulse = await startPulse()
  const { sounds, ...server } = await serveSounds()
  const players: SonosStandIn[] = []
  for (const behaviour of behaviours) {
    players.push(await startSonosPlayer({ ...pulse, behaviour }))
  }
  const sonos = players.map(({ address }) => address).join(', ')
  const options = { RED: speakerTexts.en, sounds, config: { sonos } }
  const driver = createSonosDriver(options)
  onTestFinished(async () => {
    await driver.close()
    for (const { close } of players) await close()
    await server.close()
    await pulse.stop()
  })
  const play = async (seconds: number, more: Partial<PlayOptions> = {}) => {
    const mp3 = await encodeMp3(tone({ hertz: 700, seconds, ...format }), format)
    return driver.play(soundOf(format, mp3), {
      signal: AbortSignal.timeout(20_000),
      volume: 100,
      onFirstSound() {},
      handOut() {},
      ...more,
    })
  }
  const clipsOf = ({ received }: SonosStandIn) =>
    received.filter(([{ command }]) => command === 'loadAudioClip').map(([, clip]) => clip)
  return { pulse, players, driver, play, clipsOf }
}

describe('a Sonos player', needs(...pulsePrograms, 'mpg123'), () => {
  it('whose clip somebody interrupts is reported', async () => {
    const { players, play } = await startDriver()
    const doorbell = { name: 'Doorbell', appId: 'test', streamUrl: '/nowhere.mp3' }
    const onFirstSound = () => void players[0]!.device.loadClip(doorbell)
    await expect(play(5, { onFirstSound })).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
      message: expect.stringContaining('somebody probably stopped it'),
    })
  })

  it('plays at the volume of its music, or where that is fixed', async () => {
    for (const behaviour of ['plays', 'fixed-volume'] as const) {
      const { players, play, clipsOf } = await startDriver([behaviour])
      await play(0.3, { volume: behaviour === 'plays' ? 100 : 50 })
      expect(clipsOf(players[0]!)[0]).not.toHaveProperty('volume')
    }
  })

  it('is connected once for an announcement', async () => {
    const { players, driver, play } = await startDriver()
    const connections = () =>
      players[0]!.received.filter(([{ command }]) => command === 'subscribe').length
    for (let announcement = 1; announcement <= 2; announcement++) {
      await driver.prepare(AbortSignal.timeout(10_000))
      await play(0.3)
      expect(connections()).toBe(announcement)
    }
  })

  it('plays together with others, each a clip of its own', async () => {
    const { pulse, players, play, clipsOf } = await startDriver(['plays', 'plays'])
    const recording = await pulse.record()
    expect(await play(0.5)).toEqual({ confirmedBy: 'player' })
    expect((await recording.stop()).tonesHertz).toEqual([700])
    const addresses = players.flatMap(clipsOf).map(({ streamUrl }) => streamUrl)
    expect(new Set(addresses).size).toBe(2)
  })

  it('plays although another one is off, and the stop of both is a stop', async () => {
    const { players, play } = await startDriver(['plays', 'plays'])
    const stop = new AbortController()
    const onFirstSound = () => stop.abort(new Error('stopped'))
    await expect(play(5, { signal: stop.signal, onFirstSound })).rejects.toThrow('stopped')
    for (const { received } of players)
      expect(received.map(([{ command }]) => command)).toContain('cancelAudioClip')
    await players[0]!.kill()
    expect(await play(0.3)).toEqual({
      confirmedBy: 'player',
      warning: expect.stringContaining(players[0]!.address),
    })
    await players[1]!.kill()
    await expect(play(0.3)).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
  })
})
