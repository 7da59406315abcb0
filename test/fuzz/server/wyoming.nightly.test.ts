import { connect } from 'node:net'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  openWyomingServer,
  type WyomingServer,
} from '../../../packages/local-service/src/api/wyoming/wyoming-server.ts'
import { createEncoderPool } from '../../../packages/local-service/src/audio/encoding/encoder-pool.ts'
import {
  encodeEvent,
  type WyomingEvent,
} from '../../../packages/local-service/src/remote/wyoming/event.ts'
import { readWyomingEvents } from '../../../packages/local-service/src/remote/wyoming/read-events.ts'
import { fuzz } from '../cases.ts'
import { watchEventLoop } from '../checks/event-loop-watch.ts'
import { heldMebibytes } from '../checks/held-memory.ts'
import { type Bytes, damaged } from '../inputs/bytes.ts'
import { grown, mutated } from '../inputs/json.ts'

const app = useTestApp()
const recogniser = createFakeRecogniser()
const failures: unknown[] = []
let server: WyomingServer
beforeAll(async () => {
  server = await openWyomingServer(
    { host: '127.0.0.1', port: 0 },
    {
      engines: new Map([['flite', app.flite]]),
      recognisers: new Map([['fake', recogniser]]),
      encoders: createEncoderPool(),
      voiceList: app.voiceList,
      onFailure: (error) => failures.push(error),
    },
  )
})
afterAll(() => server.close())

interface GivenEvent {
  type: string
  data: Record<string, unknown>
  payload?: Bytes
}

const format = { rate: 16_000, width: 2, channels: 1, timestamp: 0 }
const voice = { name: 'Kit', language: 'en-US', speaker: null }
const sound = '\x07\x07'.repeat(800)
const good: readonly GivenEvent[] = [
  { type: 'describe', data: {} },
  { type: 'ping', data: { text: 'hello' } },
  { type: 'transcribe', data: { name: 'fake/model', language: 'en', transcript_names: ['Clara'] } },
  { type: 'audio-start', data: format },
  { type: 'audio-chunk', data: format, payload: sound },
  { type: 'audio-stop', data: { timestamp: 100 } },
  { type: 'synthesize', data: { text: 'Hi.', voice } },
  { type: 'synthesize-start', data: { voice } },
  { type: 'synthesize-chunk', data: { text: 'Hi. ' } },
  { type: 'synthesize-stop', data: {} },
  { type: 'run-satellite', data: {} },
]

function toBytes({ type, data, payload = '' }: GivenEvent): Bytes {
  return encodeEvent({ type, data, payload: Buffer.from(payload, 'latin1') }).toString('latin1')
}

const length = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.constantFrom<unknown>(-1, 0.5, 2 ** 31, 2 ** 53, 1e308, null, '5', 70_000, 1024 * 1024 + 1),
)
const type = fc.oneof(fc.constantFrom(...good.map((one) => one.type)), fc.string())
/** A head whose lengths have nothing to do with the bytes that follow. */
const anyHead: fc.Arbitrary<Bytes> = fc
  .tuple(
    fc.record({ type, data_length: length, payload_length: length }, { requiredKeys: [] }),
    fc.constantFrom('', '{}', '{"text":"Hi."}', sound, '\n'.repeat(200)),
  )
  .map(([head, bytes]) => `${JSON.stringify(head)}\n${bytes}`)

const event = fc.constantFrom(...good).chain((valid) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(toBytes(valid)) },
    {
      weight: 3,
      arbitrary: mutated(valid.data, 1).map((data) => toBytes(withData(valid, data))),
    },
    { weight: 1, arbitrary: damaged(toBytes(valid), 1) },
    { weight: 1, arbitrary: grown(valid.data).map((data) => toBytes(withData(valid, data))) },
    { weight: 1, arbitrary: anyHead },
  ),
)
const conversation = fc
  .array(event, { minLength: 1, maxLength: 8 })
  .map((events) => events.join(''))

/** The data of an event is always an object. */
function withData(valid: GivenEvent, data: unknown): GivenEvent {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  return isObject ? { ...valid, data: data as Record<string, unknown> } : valid
}

/** Sends the bytes and ends this half of the connection. @returns the events of the server. */
async function converse(bytes: Bytes): Promise<WyomingEvent[]> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' })
  socket.on('error', () => {})
  // Not `once`, which rejects when the server cuts off a connection whose bytes it has not read.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.end(Buffer.from(bytes, 'latin1'))
  const received: WyomingEvent[] = []
  try {
    for await (const event of readWyomingEvents(socket.iterator({ destroyOnReturn: false }))) {
      received.push(event)
    }
  } catch (error) {
    // The server cuts off a connection whose bytes are not the protocol, even within an event of its own.
    expect(String(error)).toMatch(/ECONNRESET|ended within an event/)
  }
  socket.destroy()
  await closed
  return received
}

const responses =
  /^(info|pong|transcript|audio-start|audio-chunk|audio-stop|synthesize-stopped|error)$/

function expectEvents(events: readonly WyomingEvent[]): void {
  for (const [index, { type, data }] of events.entries()) {
    expect(type).toMatch(responses)
    const text = JSON.stringify(data)
    expect(text).not.toMatch(/node_modules|file:\/\/\/|\\n {4}at /)
    expect(text).not.toContain(keys.service)
    if (type === 'transcript') expect(data['text']).toEqual(expect.any(String))
    if (type !== 'error') continue
    expect(index).toBe(events.length - 1)
    expect(data).toEqual({
      text: expect.stringMatching(/^.{5,2000}$/su),
      code: expect.any(String),
    })
  }
}

/** What all connections may leave behind. The voices stay loaded. */
const maxLeftMebibytes = 64

it('a connection with any events gets valid events or one error, and ends', async () => {
  const before = await heldMebibytes()
  const watchdog = watchEventLoop<Bytes>()
  await fuzz(
    conversation,
    async (bytes) => expectEvents(await watchdog.watch(bytes, () => converse(bytes))),
    { lanes: 4, share: 0.2 },
  )
  expect(failures).toEqual([])
  expect(recogniser.running).toBe(0)
  // The fake keeps each request, with texts of a conversation.
  recogniser.requests.length = 0
  expect((await heldMebibytes()) - before).toBeLessThan(maxLeftMebibytes)
  for (const bytes of watchdog.stop()) {
    const held = await measureHold(() => converse(bytes))
    expect(held, bytes.slice(0, 1000)).toBeLessThan(maxHoldMs)
  }
  const types = (await converse(good.map(toBytes).join(''))).map(({ type }) => type)
  expect(types).toEqual(
    expect.arrayContaining(['info', 'pong', 'transcript', 'synthesize-stopped']),
  )
})
