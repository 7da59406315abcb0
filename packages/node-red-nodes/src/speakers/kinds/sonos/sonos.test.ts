import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startScriptedDevice } from '@parlando/test-support/players/stand-ins/scripted-device'
import { startSonosPlayer } from '@parlando/test-support/players/stand-ins/sonos/sonos'
import type { SonosBehaviour } from '@parlando/test-support/players/stand-ins/sonos/sonos-device'
import { makeCertificate } from '@parlando/test-support/servers/certificate'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { describe, expect, it, onTestFinished } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createSonosDriver, sonosSpeaker } from './sonos.ts'

async function startDriver(behaviour: SonosBehaviour, fetchLimitMs?: number) {
  const sonos = await startSonosPlayer({ environment: process.env, behaviour })
  onTestFinished(sonos.close)
  return { sonos, ...(await useDriver(sonos.address, { fetchLimitMs })) }
}

interface Limits {
  responseMs?: number
  /** Default: longer than a busy machine needs. */
  fetchLimitMs?: number | undefined
}

async function useDriver(typed: string, { responseMs, fetchLimitMs = 20_000 }: Limits = {}) {
  const { sounds, ...server } = await serveSounds()
  const options = { RED: speakerTexts.en, sounds, config: { sonos: typed }, responseMs }
  const driver = createSonosDriver({ ...options, fetchLimitMs })
  onTestFinished(async () => {
    await driver.close()
    await server.close()
  })
  const play = async (signal = AbortSignal.timeout(20_000)) => {
    const format = await driver.prepare(signal)
    const sound = soundOf(format, Buffer.alloc(4000))
    return driver.play(sound, { signal, volume: 50, onFirstSound() {}, handOut() {} })
  }
  return { driver, play }
}

describe('a Sonos speaker says what is wrong', () => {
  it.each<[SonosBehaviour, object]>([
    ['no-clips', { code: 'SPEAKER_REFUSED', message: expect.stringContaining('S2') }],
    ['cannot-load', { code: 'NOT_FETCHED' }],
    ['hangs', { code: 'NOT_FETCHED' }],
  ])('if the player %s', async (behaviour, error) => {
    const { play } = await startDriver(behaviour, behaviour === 'hangs' ? 500 : undefined)
    await expect(play()).rejects.toMatchObject(error)
  })

  it.each<[number, string]>([
    [403, 'cannot play the sound (HTTP 403)'],
    [302, 'is not Sonos'],
    [200, 'is not Sonos'],
  ])('if something responds with the status %i', async (status, message) => {
    const server = createServer(makeCertificate(), (_request, response) => {
      response.writeHead(status, { location: 'https://127.0.0.1:2/' }).end('{}')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { play } = await useDriver(`127.0.0.1:${(server.address() as AddressInfo).port}`)
    await expect(play()).rejects.toMatchObject({
      code: 'SPEAKER_REFUSED',
      message: expect.stringContaining(message),
    })
  })

  it('if nothing is typed, or what is no address', async () => {
    for (const typed of ['', 'http://sonos']) {
      const { play } = await useDriver(typed)
      await expect(play()).rejects.toMatchObject({
        message: expect.stringContaining(`"${typed}" is not an address`),
      })
    }
  })
})

it('a clip of Sonos is our own sound, softer than the music by the volume, and cancelled by a stop', async () => {
  const { sonos, play } = await startDriver('hangs')
  const stop = new AbortController()
  const played = play(stop.signal)
  const sent = () => sonos.received.map(([{ command }]) => command)
  await expect.poll(sent).toContain('loadAudioClip')
  stop.abort(new Error('stopped'))
  await expect(played).rejects.toThrow('stopped')
  const [, options] = sonos.received.find(([{ command }]) => command === 'loadAudioClip')!
  expect(options).toMatchObject({
    clipType: 'CUSTOM',
    streamUrl: expect.stringMatching(/\/parlando\/sounds\/[\w-]+\.mp3$/),
    volume: Math.round(80 * Math.cbrt(0.5)),
  })
})

it('a player of Sonos that does not respond does not keep the others waiting', async () => {
  const { sonos } = await startDriver('cannot-load')
  const silent = await startScriptedDevice()
  onTestFinished(silent.close)
  const { play } = await useDriver(`${silent.address}, ${sonos.address}`, { responseMs: 60_000 })
  await expect(play()).rejects.toMatchObject({ code: 'NOT_FETCHED' })
  expect(sonos.received.map(([{ command }]) => command)).toContain('loadAudioClip')
})

it('a Sonos speaker plays on the devices whose addresses it has', () => {
  const devices = sonosSpeaker.devices!({ sonos: ' 192.168.1.20, Hall:1444  [::1] ' })
  expect(devices).toEqual(['sonos 192.168.1.20:1443', 'sonos hall:1444', 'sonos [::1]:1443'])
})

it('a Sonos speaker accepts the certificate of its player for its own connections only', async () => {
  const { sonos, driver } = await startDriver('plays')
  await driver.prepare(AbortSignal.timeout(20_000))
  const port = Number(sonos.address.split(':')[1])
  const [error] = await once(connect({ host: '127.0.0.1', port }), 'error')
  expect(error.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(process.env['NODE_TLS_REJECT_UNAUTHORIZED']).toBeUndefined()
})
