import { setTimeout as delay } from 'node:timers/promises'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { pulsePrograms, startPulse } from '@parlando/test-support/audio/pulse'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import {
  type SnapcastOptions,
  snapcastBufferMs,
  startSnapcast,
} from '@parlando/test-support/players/programs/snapcast'
import { startRelay } from '@parlando/test-support/players/stand-ins/relay'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import type { PlayOptions } from '../../driver.ts'
import { createSnapcastDriver } from './snapcast.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 48_000 } as const
const soundAt = (hertz: number, seconds: number) =>
  soundOf(format, tone({ hertz, seconds, ...format }))

async function startRooms(sinks: readonly string[], options: Partial<SnapcastOptions> = {}) {
  const pulse = await startPulse(sinks)
  const { environment } = pulse
  const snapcast = await startSnapcast({ environment, sinks, ...options })
  const createDriver = (config: object = {}) => {
    const own = { snapcast: snapcast.address, snapcastBuffer: String(snapcastBufferMs) }
    const driver = createSnapcastDriver({ RED: speakerTexts.en, config: { ...own, ...config } })
    onTestFinished(() => driver.close())
    return driver
  }
  onTestFinished(async () => {
    await snapcast.close()
    await pulse.stop()
  })
  return { pulse, snapcast, createDriver }
}

const optionsWith = (own: Partial<PlayOptions> = {}): PlayOptions => ({
  signal: AbortSignal.timeout(30_000),
  volume: 100,
  onFirstSound() {},
  handOut() {},
  ...own,
})

describe('Snapcast', needs(...pulsePrograms, 'snapserver', 'snapclient'), () => {
  it('plays in two rooms in step', async () => {
    const { pulse, createDriver } = await startRooms(['kitchen', 'hall'], { player: 'pulse' })
    // The clients measure the clock of the server.
    await delay(2000)
    const recording = await pulse.recordEach()
    const driver = createDriver()
    for (const hertz of [500, 900]) await driver.play(soundAt(hertz, 1), optionsWith())
    const [kitchen, hall] = await recording.stop()
    expect(kitchen!.tonesHertz).toEqual([500, 900])
    expect(hall!.tonesHertz).toEqual([500, 900])
    expect(Math.abs(kitchen!.onsetAt - hall!.onsetAt)).toBeLessThanOrEqual(20)
    expect(Math.abs(kitchen!.endAt - hall!.endAt)).toBeLessThanOrEqual(20)
  })

  it('gives rooms their stream back, and does not leave them muted, when the connection is lost', async () => {
    const { snapcast, createDriver } = await startRooms(['kitchen'], { stream: 'Music' })
    const relay = await startRelay(snapcast.address)
    onTestFinished(relay.close)
    const driver = createDriver({ snapcast: relay.address })
    const played = driver.play(soundAt(700, 5), optionsWith({ onFirstSound: relay.cut }))
    await expect(played).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
    await driver.close()
    const [group] = await snapcast.groups()
    expect(group).toMatchObject({ stream_id: 'Music', muted: false })
  })

  it('changes the stream of rooms that do not hear the source, and back', async () => {
    const { pulse, snapcast, createDriver } = await startRooms(['kitchen'], { stream: 'Music' })
    await snapcast.playMusic(300)
    await delay(1500)
    const recording = await pulse.record()
    await delay(500)
    await createDriver().play(soundAt(700, 1), optionsWith())
    await delay(1500)
    const { tonesHertz } = await recording.stop()
    expect(tonesHertz).toEqual([300, 700, 300])
  })

  it.each([
    [
      { snapcastSource: 'Missing' },
      'SPEAKER_REFUSED',
      /no source "Missing" .* \(it has: Parlando, Music\)/,
    ],
    [{ snapcast: '127.0.0.1:2' }, 'SPEAKER_NOT_REACHABLE', /cannot be reached/],
    [{ snapcast: 'not an address' }, 'SPEAKER_NOT_REACHABLE', /"not an address" is not an address/],
  ])('says what is wrong with the settings %j', async (config, code, message) => {
    const { createDriver } = await startRooms(['kitchen'])
    await expect(createDriver(config).prepare(AbortSignal.timeout(10_000))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })

  it('says that no room would hear anything', async () => {
    const { createDriver } = await startRooms([])
    await expect(createDriver().play(soundAt(700, 1), optionsWith())).rejects.toMatchObject({
      code: 'NO_PLAYER',
    })
  })

  it('leaves a room muted that somebody has muted', async () => {
    const { snapcast, createDriver } = await startRooms(['kitchen'])
    const [{ id } = { id: '' }] = await snapcast.groups()
    await snapcast.request('Group.SetMute', { id, mute: true })
    const controller = new AbortController()
    const onFirstSound = () => controller.abort(new Error('stopped'))
    const { signal } = controller
    const driver = createDriver()
    const played = driver.play(soundAt(700, 5), optionsWith({ signal, onFirstSound }))
    await expect(played).rejects.toThrow('stopped')
    await driver.close()
    expect((await snapcast.groups()).map(({ muted }) => muted)).toEqual([true])
  })
})
