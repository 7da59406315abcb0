import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import type { Go2rtc } from '@parlando/test-support/players/programs/go2rtc'
import { startGo2rtcStandIn } from '@parlando/test-support/players/stand-ins/go2rtc'
import { keys } from '@parlando/test-support/secrets/keys'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createGo2rtcDriver, go2rtcSpeaker } from './go2rtc.ts'

const RED = speakerTexts.en
const signal = () => AbortSignal.timeout(10_000)

let server: Awaited<ReturnType<typeof serveSounds>>
let go2rtc: Go2rtc
beforeAll(async () => {
  server = await serveSounds()
  go2rtc = await startGo2rtcStandIn(process.env)
})
afterAll(async () => {
  await go2rtc.close()
  await server.close()
})

const configOf = (more: object) => ({
  go2rtc: go2rtc.address,
  go2rtcUser: go2rtc.user,
  go2rtcPassword: go2rtc.password,
  go2rtcStream: 'door',
  ...more,
})

const play = async (more: object, volume = 100) => {
  const driver = createGo2rtcDriver({ RED, sounds: server.sounds, config: configOf(more) })
  onTestFinished(() => driver.close())
  const sound = soundOf(await driver.prepare(signal()), Buffer.alloc(400))
  const options = { signal: signal(), volume, onFirstSound() {}, handOut() {} }
  return driver.play(sound, options)
}

/** A server that takes the place of go2rtc. @returns the requests. */
async function startServer(statusOf: (method: string) => [status: number, body: string]) {
  const requests: URL[] = []
  const other = createServer(({ method, url }, response) => {
    requests.push(new URL(url!, 'http://localhost'))
    const [status, body] = statusOf(method!)
    response.writeHead(status, { location: go2rtc.address }).end(body)
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return { address: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, requests }
}

describe('a camera says what is wrong', () => {
  it.each<[object, string, string]>([
    [{ go2rtc: '' }, 'SPEAKER_NOT_REACHABLE', '"" is not an address'],
    [{ go2rtc: 'http://go2rtc.example.com' }, 'SPEAKER_NOT_REACHABLE', 'is not an address'],
    [{ go2rtcStream: ' ' }, 'NO_PLAYER', 'No camera of go2rtc is chosen'],
    [{ go2rtcStream: 'gone' }, 'NO_PLAYER', 'has no camera "gone" (it has: door, mute)'],
    [{ go2rtcStream: 'mute' }, 'SPEAKER_REFUSED', 'The camera "mute" cannot speak'],
    [{ go2rtcPassword: keys.wrong }, 'SPEAKER_REFUSED', 'rejects the user name and the password'],
  ])('with the settings %j', async (config, code, message) => {
    await expect(play(config)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  it('when its ffmpeg cannot fetch the sound', async () => {
    const stream = '{"producers":[]}'
    const { address } = await startServer((method) => [method === 'GET' ? 200 : 500, stream])
    await expect(play({ go2rtc: address })).rejects.toMatchObject({ code: 'SPEAKER_REFUSED' })
    const silent = await startServer((method) => (method === 'GET' ? [200, stream] : [500, '\n']))
    await expect(play({ go2rtc: silent.address })).rejects.toMatchObject({ code: 'NOT_FETCHED' })
  })
})

it('a redirect is not followed: the password would go to another server', async () => {
  const { address } = await startServer(() => [302, ''])
  await expect(play({ go2rtc: address })).rejects.toThrow('is not go2rtc')
})

it('the sound is softer by ffmpeg, in a format that the camera understands', async () => {
  const { address, requests } = await startServer((method) => [
    method === 'GET' ? 200 : 500,
    '{"producers":[]}',
  ])
  const config = { go2rtc: address, go2rtcCodec: 'pcma', go2rtcStream: 'front & back' }
  await expect(play(config, 50)).rejects.toThrow('cannot play the sound')
  const { searchParams: query } = requests.find((url) => url.searchParams.has('dst'))!
  expect(query.get('dst')).toBe('front & back')
  expect(query.get('src')).toMatch(
    /^ffmpeg:http:\S+\.mp3#audio=pcma#input=file#raw=-af#raw=volume=0\.500$/,
  )
})

it('a camera that never shows that it plays was not heard', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { address, requests } = await startServer(() => [200, '{"producers":[]}'])
  const notHeard = expect(play({ go2rtc: address })).rejects.toThrow('does not respond')
  const sources = () => requests.map(({ searchParams }) => searchParams.get('src') ?? '')
  await expect.poll(sources).toEqual(['door', expect.stringMatching(/^ffmpeg:/), 'door'])
  const [, url = ''] = /^ffmpeg:([^#]*)/.exec(sources()[1]!) ?? []
  await (await fetch(url)).arrayBuffer()
  vi.advanceTimersByTime(60_000)
  await notHeard
})

it('a camera is the same one however the address of its go2rtc is written', () => {
  const devices = (go2rtc: string, go2rtcStream = 'door') =>
    go2rtcSpeaker.devices!({ go2rtc, go2rtcStream })
  const same = ['192.168.1.20', 'http://192.168.1.20:1984/', ' 192.168.1.20:1984']
  expect(new Set(same.flatMap((typed) => devices(typed))).size).toBe(1)
  expect(devices('Cameras')).toEqual(devices('http://cameras:1984'))
  expect(devices('cameras', 'hall')).not.toEqual(devices('cameras'))
  expect(devices('cameras:1985')).not.toEqual(devices('cameras'))
})

it('the form lists the streams', async () => {
  const context = { RED: RED as never, sounds: server.sounds, config: configOf({}) }
  const listed = await go2rtcSpeaker.listDevices!(context, signal())
  expect(listed.map(({ id }) => id)).toEqual(['door', 'mute'])
})
