import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { makeCertificate } from '@parlando/test-support/servers/certificate'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCastDriver } from '../../../packages/node-red-nodes/src/speakers/kinds/cast/cast.ts'
import {
  decodeMessage,
  maxMessageBytes,
  namespaces,
} from '../../../packages/node-red-nodes/src/speakers/kinds/cast/cast-message.ts'
import { readLengthFrames } from '../../../packages/node-red-nodes/src/speakers/network/length-frames.ts'
import { fuzz } from '../cases.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import { type Bytes, damaged } from '../inputs/bytes.ts'
import { anyJson, grown, mutated } from '../inputs/json.ts'
import { fetchSound, startTrap, toText } from '../setups/hostile-api.ts'
import {
  errorsOf,
  expectErrorForUsers,
  maxLeftMebibytes,
  playShortSound,
  useSounds,
} from '../setups/hostile-player.ts'

const trap = await startTrap()
const trapUrl = trap.url

const app = { appId: 'CC1AD845', sessionId: 's', transportId: 't', iconUrl: trapUrl }
const volume = { controlType: 'attenuation', level: 0.5, muted: false, stepInterval: 0.05 }
const music = { contentId: trapUrl, contentType: 'audio/mpeg', streamType: 'BUFFERED' }
const playing = { mediaSessionId: 1, playerState: 'PLAYING', currentTime: 3 }
/** What a device sends, by the request; `"requestId":0` becomes that of the request. */
const good: Record<string, object> = {
  status: { type: 'RECEIVER_STATUS', requestId: 0, status: { applications: [app], volume } },
  idle: { type: 'RECEIVER_STATUS', requestId: 0, status: { volume } },
  music: { type: 'MEDIA_STATUS', requestId: 0, status: [{ ...playing, media: music }] },
  loaded: { type: 'MEDIA_STATUS', requestId: 0, status: [{ ...playing, mediaSessionId: 2 }] },
  ended: {
    type: 'MEDIA_STATUS',
    requestId: 0,
    status: [{ mediaSessionId: 2, playerState: 'IDLE', idleReason: 'FINISHED' }],
  },
  pong: { type: 'PONG' },
}

function lengthOf(text: Bytes): Bytes {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return length.toString('latin1')
}

/** A field of a Protocol Buffer that is a text. */
function field(number: number, text: Bytes): Bytes {
  const head = [(number << 3) | 2]
  let rest = text.length
  for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128)
  return Buffer.from([...head, rest]).toString('latin1') + text
}

function frameOf(payload: string, namespace: string = namespaces.receiver): Bytes {
  const text = Buffer.from(payload).toString('latin1')
  const message = ['\x08\0', field(2, 't'), field(3, '*'), field(4, namespace), '\x28\0']
  const bytes = message.join('') + field(6, text)
  return lengthOf(bytes) + bytes
}

const endless = [
  '\xff'.repeat(300_000),
  '\0'.repeat(300_000),
  frameOf('{}').repeat(5000),
  frameOf('{"type":"PING"}', namespaces.heartbeat).repeat(5000),
  frameOf(toText(good['status'])).repeat(1000),
  lengthOf('x'.repeat(60_000)) + '\x08\0'.repeat(30_000),
  frameOf('['.repeat(60_000)),
]
const response = (valid: object) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(frameOf(toText(valid))) },
    { weight: 2, arbitrary: mutated(valid, 1).map((value) => frameOf(toText(value))) },
    { weight: 1, arbitrary: grown(valid).map((value) => frameOf(toText(value))) },
    { weight: 1, arbitrary: damaged(toText(valid), 1).map((text) => frameOf(text)) },
    { weight: 1, arbitrary: damaged(frameOf(toText(valid)), 1) },
    { weight: 1, arbitrary: anyJson.map((value) => frameOf(toText(value))) },
    { weight: 1, arbitrary: fc.constantFrom('', ...endless) },
  )
const responses = fc.record(
  Object.fromEntries(Object.entries(good).map(([name, valid]) => [name, response(valid)])),
)
type Responses = Record<string, Bytes>

const certificate = makeCertificate()

async function serve(given: Responses) {
  const sockets = new Set<TLSSocket>()
  const server = createServer(certificate, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    respond(socket, given).catch(() => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function respond(socket: TLSSocket, given: Responses): Promise<void> {
  const form = { headBytes: 4, lengthAt: 0, maxPayloadBytes: maxMessageBytes }
  for await (const frame of readLengthFrames(socket, form)) {
    const { namespace, payload } = decodeMessage(frame.subarray(4))!
    const { type, requestId, media } = payload as Record<string, unknown>
    const isMedia = namespace === namespaces.media
    const names: Record<string, string[]> = {
      GET_STATUS: [isMedia ? 'music' : 'status'],
      LAUNCH: ['idle', 'status'],
      SET_VOLUME: ['status'],
      LOAD: ['loaded', 'ended'],
      STOP: ['ended'],
      PING: ['pong'],
    }
    const { contentId: url } = (media ?? {}) as { contentId?: string }
    // The device.
    if (type === 'LOAD' && url?.includes('/parlando/sounds/')) await fetchSound(url)
    for (const name of names[String(type)] ?? []) {
      // Of the same length, as the frame says it.
      const bytes = given[name]!.replace('"requestId":0', `"requestId":${Number(requestId) % 10}`)
      socket.write(Buffer.from(bytes, 'latin1'))
    }
  }
}

const sounds = useSounds(trap)

/** Uses a device as a speaker does. @param responseMs How long the device may take. @returns the error. */
async function use(address: string, responseMs = 100): Promise<unknown> {
  const options = { RED: speakerTexts.en, sounds: sounds(), config: { cast: address } }
  const driver = createCastDriver({ ...options, responseMs, fetchLimitMs: 1.5 * responseMs })
  const signal = AbortSignal.timeout(4 * responseMs)
  const [error] = await errorsOf([playShortSound(driver, signal)]).finally(() => driver.close())
  return error
}

it('no message of a Cast device ends Node-RED, or makes it fetch an address', async () => {
  const before = await heldMebibytes()
  await fuzz(
    responses,
    async (given) => {
      const server = await serve(given)
      const error = await use(server.address)
      await server.close()
      if (error) expectErrorForUsers(error)
      expect(trap.contacts).toEqual([])
    },
    { lanes: 20, share: 0.2 },
  )
  expect((await heldMebibytes()) - before).toBeLessThan(maxLeftMebibytes)
})

it('a device that behaves well plays to the end', async () => {
  const given = Object.entries(good).map(([name, valid]) => [name, frameOf(toText(valid))])
  const server = await serve(Object.fromEntries(given))
  expect(await use(server.address, 5000)).toBeUndefined()
  await server.close()
})

it.each(endless.map((bytes) => [bytes.slice(0, 40), bytes]))(
  'a device does not hold the event loop: %j',
  async (_start, bytes) => {
    const names = Object.keys(good)
    for (const name of ['status', 'loaded']) {
      const valid = names.map((each) => [each, frameOf(toText(good[each]))])
      const server = await serve({ ...Object.fromEntries(valid), [name]: bytes })
      const holdMs = await measureHold(() => use(server.address))
      await server.close()
      expect(holdMs).toBeLessThan(maxHoldMs)
    }
  },
)
