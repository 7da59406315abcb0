import { setTimeout as delay } from 'node:timers/promises'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { type Pulse, pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { type Mpd, startMpd } from '@parlando/test-support/players/programs/mpd'
import { startRelay } from '@parlando/test-support/players/stand-ins/relay'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { type SoundServer, serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createSoundStore } from '../../../sounds/to-play/sound-store.ts'
import type { PlayOptions } from '../../driver.ts'
import { createMpdDriver } from './mpd.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
const soundAt = async (hertz: number, seconds: number) =>
  soundOf(format, await encodeMp3(tone({ hertz, seconds, ...format }), format))

describe('MPD', needs(...pulsePrograms, 'mpd', 'mpc'), () => {
  let pulse: Pulse
  let server: SoundServer
  let mpd: Mpd
  beforeAll(async () => {
    pulse = await startPulse()
    server = await serveSounds()
    mpd = await startMpd(pulse)
    await mpd.playMusic(300)
    await mpd.playMusic(400)
  })
  afterAll(async () => {
    await mpd.close()
    await server.close()
    await pulse.stop()
  })
  beforeEach(async () => {
    await mpd.mpc('clear')
    await mpd.mpc('add', '300.wav', '400.wav')
    await mpd.mpc('volume', '100')
  })

  const createDriver = () => {
    const { sounds } = server
    const options = { RED: speakerTexts.en, sounds, config: { mpd: mpd.address } }
    const driver = createMpdDriver(options)
    onTestFinished(() => driver.close())
    return driver
  }
  const play = async (
    hertz: number,
    seconds: number,
    options: Partial<PlayOptions> = {},
    driver = createDriver(),
  ) =>
    driver.play(await soundAt(hertz, seconds), {
      signal: AbortSignal.timeout(30_000),
      volume: 100,
      onFirstSound() {},
      handOut() {},
      ...options,
    })
  /** Such as `400.wav pause 0:21`. */
  const status = async () => {
    const song = await mpd.mpc('current', '--format', '%file%')
    const state = await mpd.mpc('status', '%state% %currenttime%')
    return `${song.trim()} ${state.trim()}`
  }

  /** Plays a sound while the music is silent. */
  const expectOnlySound = async () => {
    await delay(300)
    const recording = await pulse.record()
    await play(700, 0.5)
    await delay(500)
    expect((await recording.stop()).tonesHertz).toEqual([700])
  }

  it('continues the song where it was', async () => {
    await mpd.mpc('play', '2')
    await mpd.mpc('seek', '0:20')
    await play(700, 3)
    const [song, state, time] = (await status()).split(' ')
    expect([song, state]).toEqual(['400.wav', 'playing'])
    expect(['0:20', '0:21', '0:22']).toContain(time)
  })

  it('stays paused, silently, at its position', async () => {
    await mpd.mpc('play', '2')
    await mpd.mpc('seek', '0:20')
    await mpd.mpc('pause')
    await expectOnlySound()
    expect(await status()).toBe('400.wav paused 0:20')
  })

  it('stays stopped, silently, at its song', async () => {
    await mpd.mpc('play', '2')
    await mpd.mpc('stop')
    await expectOnlySound()
    await mpd.mpc('play')
    expect(await status()).toMatch(/^400\.wav playing/)
  })

  it('keeps its queue', async () => {
    const before = await mpd.mpc('playlist')
    await mpd.mpc('play', '1')
    await play(700, 0.3)
    expect(await mpd.mpc('playlist')).toBe(before)
  })

  it('keeps what somebody changes meanwhile', async () => {
    await mpd.mpc('play', '1')
    await play(700, 1, {
      volume: 50,
      onFirstSound: () => void mpd.mpc('volume', '33').then(() => mpd.mpc('repeat', 'on')),
    })
    expect(await mpd.mpc('status', '%volume%,%repeat%')).toMatch(/^\s*33%,on/)
    await mpd.mpc('repeat', 'off')
  })

  it('reports that somebody has stopped the sound', async () => {
    const played = play(700, 5, { onFirstSound: () => void mpd.mpc('stop') })
    await expect(played).rejects.toMatchObject({
      code: 'SPEAKER_NOT_REACHABLE',
      message: expect.stringContaining('somebody probably stopped it'),
    })
  })

  it('plays the music on that somebody has chosen meanwhile', async () => {
    const recording = await pulse.record()
    const onFirstSound = () => void setTimeout(() => void mpd.mpc('play', '1'), 300)
    const played = play(700, 5, { onFirstSound })
    await expect(played).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    await delay(500)
    expect((await recording.stop()).tonesHertz).toEqual([700, 300])
    expect(await mpd.mpc('status', '%length%')).toBe('2\n')
  })

  it('is as loud as before, and plays its music, when its connection is lost', async () => {
    const relay = await startRelay(mpd.address)
    onTestFinished(relay.close)
    const config = { mpd: relay.address }
    const driver = createMpdDriver({ RED: speakerTexts.en, sounds: server.sounds, config })
    onTestFinished(() => driver.close())
    await mpd.mpc('play', '2')
    const played = play(700, 5, { volume: 50, onFirstSound: relay.cut }, driver)
    await expect(played).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    expect(await mpd.mpc('status', '%volume%,%state%,%length%')).toMatch(/^100%,playing,2/)
    expect(await status()).toMatch(/^400\.wav playing/)
  })

  it('reports that it cannot fetch the address, and says why', async () => {
    const addressOf = () => ({ baseUrl: 'http://127.0.0.1:2/"\\', warning: undefined })
    const sounds = createSoundStore({ addressOf })
    const driver = createMpdDriver({ RED: speakerTexts.en, sounds, config: { mpd: mpd.address } })
    await expect(play(700, 1, {}, driver)).rejects.toMatchObject({ code: 'NOT_FETCHED' })
    expect(await mpd.mpc('status', '%length%')).toBe('2\n')
  })

  it('starts at once with a sound that is complete', async () => {
    const recording = await pulse.record()
    const calledAt = performance.now()
    let firstSoundAt = 0
    await play(700, 0.5, {
      onFirstSound() {
        firstSoundAt = performance.now()
      },
    })
    const heard = await recording.stop()
    expect(heard.onsetAt).toBeGreaterThan(calledAt)
    expect(Math.abs(firstSoundAt - heard.onsetAt)).toBeLessThan(400)
  })
})
