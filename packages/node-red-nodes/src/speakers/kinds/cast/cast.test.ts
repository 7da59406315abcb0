import { once } from 'node:events'
import { connect } from 'node:tls'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startCastDevice } from '@parlando/test-support/players/stand-ins/cast/cast'
import type { CastBehaviour } from '@parlando/test-support/players/stand-ins/cast/cast-device'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createCastDriver } from './cast.ts'

/** @param fetchLimitMs longer than a busy machine needs, except where the test waits for it. */
async function startDriver(
  behaviour: CastBehaviour,
  { typed, fetchLimitMs = 20_000 }: { typed?: string; fetchLimitMs?: number } = {},
) {
  const cast = await startCastDevice(process.env, behaviour)
  const { sounds, ...server } = await serveSounds()
  const driver = createCastDriver({
    RED: speakerTexts.en,
    sounds,
    config: { cast: typed ?? cast.address },
    fetchLimitMs,
  })
  onTestFinished(async () => {
    await driver.close()
    await cast.close()
    await server.close()
  })
  const play = async () => {
    const signal = AbortSignal.timeout(20_000)
    const format = await driver.prepare(signal)
    const sound = soundOf(format, Buffer.alloc(4000))
    return driver.play(sound, { signal, volume: 50, onFirstSound() {}, handOut() {} })
  }
  return { cast, driver, play }
}

describe('a Cast speaker says what is wrong', () => {
  it.each<[CastBehaviour, object]>([
    [
      'cannot-launch',
      { code: 'SPEAKER_REFUSED', message: expect.stringContaining('the sound (NOT_FOUND)') },
    ],
    // Devices do not say that an address is out of their reach.
    ['cannot-load', { code: 'NOT_FETCHED' }],
    ['hangs', { code: 'NOT_FETCHED' }],
  ])('if the device %s', async (behaviour, error) => {
    const fetchLimitMs = behaviour === 'hangs' ? 500 : 20_000
    const { cast, play } = await startDriver(behaviour, { fetchLimitMs })
    await expect(play()).rejects.toMatchObject(error)
    expect(cast.device.volume).toBe(0.8)
  })

  it('if nothing is typed, or what is no address', async () => {
    for (const typed of ['', 'http://tv']) {
      const { play } = await startDriver('plays', { typed })
      await expect(play()).rejects.toMatchObject({
        code: 'SPEAKER_NOT_REACHABLE',
        message: expect.stringContaining(`"${typed}" is not an address`),
      })
    }
  })
})

it('a Cast speaker is as loud as before also if the response to its volume is lost', async () => {
  const { cast, play } = await startDriver('loses-connection')
  await expect(play()).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
  const levels = cast.received.flatMap(({ volume }) => (volume as { level: number })?.level ?? [])
  expect(levels).toEqual([expect.closeTo(0.8 * Math.cbrt(0.5)), 0.8])
  expect(cast.device.volume).toBe(0.8)
})

it('a Cast speaker leaves music alone that its sound has not interrupted', async () => {
  const { cast, play } = await startDriver('loses-connection')
  await cast.device.launch('CC1AD845')
  cast.device.pause({ contentId: 'music.mp3', contentType: 'audio/mpeg' }, 20)
  await expect(play()).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
  expect(cast.received.map(({ type }) => type)).not.toContain('LOAD')
  expect(cast.device.volume).toBe(0.8)
})

type Started = Awaited<ReturnType<typeof startDriver>>

const loadedMedia = ({ cast }: Started) =>
  cast.received.flatMap(({ type, media }) => (type === 'LOAD' ? [media] : []))

/** Plays a sound, and stops it as soon as a device that does not respond was told to load it. */
async function stopWhileLoading(started: Started): Promise<void> {
  const { driver } = started
  const stop = new AbortController()
  const sound = soundOf(await driver.prepare(stop.signal), Buffer.alloc(4000))
  const options = { signal: stop.signal, volume: 100, onFirstSound() {}, handOut() {} }
  const played = driver.play(sound, options)
  await expect.poll(() => loadedMedia(started), { interval: 10 }).toHaveLength(1)
  stop.abort(new Error('stopped'))
  await expect(played).rejects.toThrow('stopped')
}

it('a Cast speaker ends what it began when it is stopped before the device responds', async () => {
  const started = await startDriver('hangs')
  await stopWhileLoading(started)
  expect(started.cast.device.app).toBeUndefined()
})

it('a Cast speaker plays its music on when it is stopped before the device responds', async () => {
  const started = await startDriver('hangs')
  const { device } = started.cast
  await device.launch('CC1AD845')
  device.pause({ contentId: 'music.mp3', contentType: 'audio/mpeg' }, 20)
  await stopWhileLoading(started)
  expect(loadedMedia(started).at(-1)).toMatchObject({ contentId: 'music.mp3' })
  expect(device.app).toBeDefined()
})

it('a Cast speaker accepts the certificate of its device for its own connection only', async () => {
  const { cast, driver } = await startDriver('plays')
  await driver.prepare(AbortSignal.timeout(20_000))
  const [error] = await once(connect({ host: '127.0.0.1', port: cast.port }), 'error')
  expect(error.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(process.env['NODE_TLS_REJECT_UNAUTHORIZED']).toBeUndefined()
})
