import { once } from 'node:events'
import { type FakeHttpRed, startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { openMicrophone } from '@parlando/test-support/node-red/simulated-microphone'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  type MicrophonePages,
  serveMicrophonePages,
} from '../../../packages/node-red-nodes/src/microphones/page/page-routes.ts'
import { soundOf } from '../../../packages/node-red-nodes/src/sounds/sound.ts'
import type { Driver } from '../../../packages/node-red-nodes/src/speakers/driver.ts'
import { servePageDrivers } from '../../../packages/node-red-nodes/src/speakers/kinds/page/page.ts'
import { fuzz } from '../cases.ts'
import { damaged } from '../inputs/bytes.ts'

let http: FakeHttpRed
let driver: Driver
let microphone: ReturnType<MicrophonePages['open']>
let openRecordings = 0
beforeAll(async () => {
  http = await startFakeHttpRed()
  driver = servePageDrivers(http.RED)('Kitchen')
  driver.showAlarms!([{ id: 'alarm', text: 'Water' }], () => {
    throw new Error('nobody who is connected has acknowledged it')
  })
  microphone = serveMicrophonePages(http.RED).open('desk', {
    settings: { mode: 'push', speaker: '' },
    onRecording() {
      openRecordings += 1
      return {
        push: (pcm) => expect(pcm.length % 2).toBe(0),
        end() {
          openRecordings -= 1
        },
      }
    },
    onChange() {},
  })
})
afterAll(async () => {
  microphone?.close()
  await driver.close()
  await http.close()
})

const name = fc.constantFrom('kitchen', 'Kitchen', 'desk', '..', '%', '%00', '%ff', '__proto__', '')
// The pages themselves are files of the build.
const verb = fc.constantFrom(
  'token',
  'events',
  'socket',
  'report',
  'audio',
  'acknowledge',
  'later',
  '%',
  'token/more',
)
const key = fc.constantFrom(
  'id',
  'player',
  'event',
  'token',
  'id[]',
  'id[a]',
  // An object without a text form.
  'id[toString]',
  'token[toString]',
  'player[]',
  '__proto__',
)
const value = fc.constantFrom(
  '',
  'alarm',
  'one',
  'ready',
  'ended',
  'a b',
  '%00',
  '%E0%A4%A',
  'x'.repeat(5000),
)
const query = fc.array(fc.tuple(key, value), { maxLength: 6 })
const target = fc
  .tuple(fc.constantFrom('speaker', 'microphone'), name, verb, query)
  .map(([kind, name, verb, query]) => {
    const parts = query.map(([key, value]) => `${key}=${value}`)
    return `/parlando/${kind}/${name}/${verb}?${parts.join('&')}`
  })
const headers = fc.constantFrom<Record<string, string>>(
  {},
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://' },
  { 'x-forwarded-host': ', ,%' },
)

it('pages respond to any address without an error of the server, and play on', async () => {
  await fuzz(
    fc.tuple(fc.constantFrom('GET', 'POST'), target, headers),
    async ([method, path, headers]) => {
      const signal = AbortSignal.timeout(20_000)
      const options = { method, headers, signal, redirect: 'manual' } as const
      const response = await fetch(http.baseUrl + path, options)
      await response.body?.cancel()
      expect([200, 302, 400, 401, 403, 404, 414, 421, 431]).toContain(response.status)
    },
    { lanes: 4, share: 0.5 },
  )
  const browser = await openPage(http.baseUrl, 'kitchen')
  const sound = soundOf({ audioEncoding: 'PCM', sampleRateHertz: 24_000 }, new Uint8Array(4800))
  const signal = AbortSignal.timeout(20_000)
  const options = { signal, volume: 100, onFirstSound() {}, handOut() {} }
  expect(await driver.play(sound, options)).toEqual({ confirmedBy: 'player' })
  browser.close()
})

const text = fc.oneof(
  fc.constantFrom('{"type":"start"}', '{"type":"end"}', 'null', '[]', '{"type":{"a":1}}'),
  damaged('{"type":"start"}', 1),
  fc.constant(`${'['.repeat(3000)}${']'.repeat(3000)}`),
)
const binary = fc.integer({ min: 0, max: 6402 }).map((size) => Buffer.alloc(size, 1))

it('a microphone page survives any messages, and records afterwards', async () => {
  await fuzz(
    fc.array(fc.oneof(text, binary), { maxLength: 20 }),
    async (messages) => {
      const { socket } = await openMicrophone(http.baseUrl, 'desk')
      for (const message of messages) {
        if (socket.readyState === WebSocket.OPEN) socket.send(message)
      }
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
    { lanes: 2, share: 0.3, eventsOf: (messages) => messages.length },
  )
  await expect.poll(() => openRecordings).toBe(0)
  const last = await openMicrophone(http.baseUrl, 'desk')
  last.send({ type: 'start' })
  await expect.poll(() => openRecordings).toBe(1)
  last.close()
  await expect.poll(() => openRecordings).toBe(0)
})
