import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import {
  openRawWebSocket,
  textFrame,
  textFrames,
} from '@parlando/test-support/local-service/clients/raw-web-socket'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp, useTestApp } from '@parlando/test-support/local-service/test-app'
import { startWyoming } from '@parlando/test-support/local-service/wyoming/wyoming-service'
import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import {
  casesToRun,
  isThoroughRun,
  propertyRuns,
} from '@parlando/test-support/vitest/property-runs'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPcmReader } from '../../packages/local-service/src/listening/pcm-reader.ts'
import { encodeEvent } from '../../packages/local-service/src/remote/wyoming/event.ts'
import { serveMicrophonePages } from '../../packages/node-red-nodes/src/microphones/page/page-routes.ts'
import { servePageDrivers } from '../../packages/node-red-nodes/src/speakers/kinds/page/page.ts'
import { heldMebibytes } from './cases.ts'

// A watchdog of processor time and of memory over every port and socket that keeps a connection open.

const many = propertyRuns(100_000)
/** What a connection may make the service hold, with the messages in progress. */
const maxHeldMebibytes = 24
/** Of ten floods that have ended. */
const maxKeptMebibytes = 4

const app = useTestApp()

// The first sound loads the resampler, which stays.
beforeAll(async () => {
  for (const sampleRateHertz of [24_000, 48_000]) {
    const reader = await createPcmReader({ sampleRateHertz, channels: 1 })
    reader.close()
  }
})

/** @returns a function that opens a connection, which reads nothing by itself. */
async function openWebSocketPort(path: string): Promise<() => Promise<Socket>> {
  const { fetch } = createTestApp(app.flite, () => {}, undefined, {
    recognisers: new Map([['fake', createFakeRecogniser()]]),
  })
  const { baseUrl } = await openTestServer({ fetch })
  return () => openRawWebSocket(baseUrl, path)
}

async function openWyomingPort(): Promise<() => Promise<Socket>> {
  const { server } = await startWyoming(app)
  return async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
}

async function openMicrophonePage(): Promise<() => Promise<Socket>> {
  const { RED, baseUrl, close } = await startFakeHttpRed()
  onTestFinished(close)
  const page = serveMicrophonePages(RED).open('desk', {
    settings: { mode: 'push', speaker: '' },
    onRecording: () => ({ push() {}, end() {} }),
    onChange() {},
  })
  onTestFinished(() => page?.close())
  return () => openPageSocket(baseUrl, 'microphone/desk')
}

async function openSpeakerPage(): Promise<() => Promise<Socket>> {
  const { RED, baseUrl, close } = await startFakeHttpRed()
  onTestFinished(close)
  const driver = servePageDrivers(RED)('Kitchen')
  onTestFinished(() => driver.close())
  return () => openPageSocket(baseUrl, 'speaker/kitchen', '&player=player-of-the-test')
}

async function openPageSocket(baseUrl: string, page: string, query = ''): Promise<Socket> {
  const path = `/parlando/${page}`
  const response = await fetch(`${baseUrl}${path}/token`, { method: 'POST' })
  const { token } = (await response.json()) as { token: string }
  return openRawWebSocket(baseUrl, `${path}/socket?token=${token}${query}`)
}

/** Up to ten floods, on a busy machine. */
const caseLimitMs = 120_000
/** Some floods are texts that take minutes to speak. */
const floodLimitMs = isThoroughRun ? 5000 : 1000

/** Sends bytes, and waits until nothing moves any more. */
async function flood(socket: Socket, bytes: Buffer, isRead: boolean): Promise<void> {
  if (isRead) socket.resume()
  socket.write(bytes)
  const progress = () => `${socket.bytesRead} ${socket.bytesWritten - socket.writableLength}`
  const endsAt = performance.now() + floodLimitMs
  for (let before = ''; before !== progress() && performance.now() < endsAt; ) {
    before = progress()
    await wait(100)
  }
}

let heldBefore = 0
async function expectNoHarm(open: () => Promise<Socket>, bytes: Buffer): Promise<void> {
  // A flood that has just ended may still be worked on, so each is compared with the memory before itself.
  const before = await heldMebibytes(heldBefore + 1)
  heldBefore = before
  for (const isRead of isThoroughRun ? [true, false] : [false]) {
    let socket: Socket | undefined
    const held = await measureHold(async () => {
      socket?.destroy()
      socket = await open()
      await flood(socket, bytes, isRead)
    })
    const grown = (await heldMebibytes(before + maxHeldMebibytes)) - before
    socket?.destroy()
    expect(held).toBeLessThan(maxHoldMs)
    expect(grown).toBeLessThan(maxHeldMebibytes)
  }
}

const json = (...messages: object[]) =>
  Buffer.concat(messages.map((message) => textFrame(JSON.stringify(message))))
const repeat = (bytes: Buffer, count: number) => Buffer.alloc(bytes.length * count, bytes)
const list = (length: number, item: unknown) => Array.from({ length }, () => item)

const anyMessages: Record<string, Buffer> = {
  'empty messages': textFrames('', many),
  'messages of a byte': textFrames('x', many),
  'empty objects': textFrames('{}', many),
  pings: repeat(Buffer.from([0x89, 0x80, 0, 0, 0, 0]), many),
  'a message of a megabyte of values': textFrame(`[${'0,'.repeat(500_000)}0]`),
  'a message that nests deeply': textFrame('['.repeat(1_000_000)),
}
/** For the sockets that read their messages as the realtime socket does. */
const someMessages = Object.fromEntries(casesToRun(Object.entries(anyMessages), 2))

const item = (part: object, parts: number) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: list(parts, part) },
})
const realtimeMessages: Record<string, Buffer> = {
  'empty pieces of sound': textFrames('{"type":"input_audio_buffer.append","audio":""}', many),
  'responses that are cancelled, with large metadata': repeat(
    json(
      { type: 'response.create', response: { metadata: { a: 'x'.repeat(900_000) } } },
      { type: 'response.cancel' },
    ),
    100,
  ),
  'µ-law in large pieces': Buffer.concat([
    json({
      type: 'session.update',
      session: { audio: { input: { format: { type: 'audio/pcmu' } } } },
    }),
    json(
      ...(list(5, {
        type: 'input_audio_buffer.append',
        audio: 'AAAA'.repeat(250_000),
      }) as object[]),
    ),
  ]),
  'items with many parts': repeat(json(item({ type: 'input_text', text: '' }, 1950)), 20),
  'items with many wrong parts': repeat(json(item({ type: 'x', a: 1 }, 1950)), 20),
  'many tools, and a long text': json(
    { type: 'session.update', session: { tools: list(1900, { type: 'function', name: 'a' }) } },
    item({ type: 'input_text', text: 'b '.repeat(500_000) }, 1),
    { type: 'response.create' },
  ),
  'tool calls with long names': repeat(
    json({
      type: 'conversation.item.create',
      item: { type: 'function_call', name: 'x'.repeat(1_000_000), arguments: '{}' },
    }),
    100,
  ),
}

const create = { create: { voiceId: 'Clara', modelId: 'svc-tts-2' }, contextId: 'a' }
const speechMessages: Record<string, Buffer> = {
  'texts of a letter': Buffer.concat([
    json(create),
    textFrames('{"sendText":{"text":"a"},"contextId":"a"}', many),
  ]),
  'a text of a megabyte': json(create, {
    sendText: { text: 'a. '.repeat(330_000) },
    contextId: 'a',
  }),
  'contexts that end at once': repeat(json(create, { closeContext: {}, contextId: 'a' }), many / 2),
}

const transcribeConfig = {
  transcribeConfig: { modelId: 'svc/svc-stt-1', audioEncoding: 'LINEAR16' },
}
const transcriptionMessages: Record<string, Buffer> = {
  'samples of sound': Buffer.concat([
    json(transcribeConfig),
    textFrames('{"audioChunk":{"content":"AAAA"}}', many),
  ]),
  'sound in large pieces': Buffer.concat([
    json(transcribeConfig),
    repeat(json({ audioChunk: { content: 'AAAA'.repeat(250_000) } }), 5),
  ]),
  'ends of turns': Buffer.concat([json(transcribeConfig), textFrames('{"endTurn":{}}', many)]),
}

/** A message of sound, of which every byte is zero, so that its mask changes nothing. */
const soundFrame = (bytes: number) => {
  const frame = textFrame(Buffer.alloc(bytes))
  frame.writeUInt8(0x82)
  return frame
}
const start = json({ type: 'start' })
const microphoneMessages: Record<string, Buffer> = {
  'samples of sound': Buffer.concat([start, repeat(soundFrame(2), many)]),
  'empty pieces of sound': Buffer.concat([start, repeat(soundFrame(0), many)]),
  'sound in large pieces': Buffer.concat([start, repeat(soundFrame(6400), many / 10)]),
  'recordings that end at once': repeat(json({ type: 'start' }, { type: 'end' }), many / 2),
}

const format = { rate: 16_000, width: 2, channels: 1 }
const event = (type: string, data: Record<string, unknown> = {}, payload?: Uint8Array) =>
  encodeEvent({ type, data, ...(payload && { payload }) })
const wyomingMessages: Record<string, Buffer> = {
  'unknown events': repeat(event('x'), many),
  pings: repeat(event('ping', { text: 'x' }), many),
  descriptions: repeat(event('describe'), many / 10),
  'streams of no text': repeat(
    Buffer.concat([event('synthesize-start'), event('synthesize-stop')]),
    many,
  ),
  'texts of a letter': Buffer.concat([
    event('synthesize-start'),
    repeat(event('synthesize-chunk', { text: 'a' }), many),
  ]),
  'a text of a megabyte': Buffer.concat([
    event('synthesize-start'),
    event('synthesize-chunk', { text: 'a. '.repeat(330_000) }),
  ]),
  'the longest text': event('synthesize', { text: 'Good morning. '.repeat(7100) }),
  'the longest text of a stream': Buffer.concat([
    event('synthesize-start'),
    event('synthesize-chunk', { text: 'a. '.repeat(33_000) }),
  ]),
  'a text of one long word': event('synthesize', { text: 'x'.repeat(100_000) }),
  'sound without samples': Buffer.concat([
    event('audio-start', format),
    repeat(event('audio-chunk', format), many),
  ]),
  'sound in large pieces': Buffer.concat([
    event('audio-start', { rate: 48_000, width: 2, channels: 8 }),
    repeat(event('audio-chunk', format, Buffer.alloc(2_000_000)), 20),
  ]),
  'starts of sound': repeat(event('audio-start', format), many / 10),
  'a megabyte of values': Buffer.from(
    `{"type":"x","data_length":1000003}\n{"a":[${'0,'.repeat(499_990)}0]}`,
  ),
  'an event that never ends': Buffer.concat([
    Buffer.from('{"type":"x","payload_length":2000000}\n'),
    Buffer.alloc(1_999_999),
  ]),
}

describe.each<[string, () => Promise<() => Promise<Socket>>, Record<string, Buffer>]>([
  [
    'the realtime socket',
    () => openWebSocketPort('/v1/realtime'),
    { ...anyMessages, ...realtimeMessages },
  ],
  [
    'the speech socket',
    () => openWebSocketPort('/tts/v1/voice:streamBidirectional'),
    { ...someMessages, ...speechMessages },
  ],
  [
    'the transcription socket',
    () => openWebSocketPort('/stt/v1/transcribe:streamBidirectional'),
    { ...someMessages, ...transcriptionMessages },
  ],
  ['the Wyoming port', openWyomingPort, wyomingMessages],
  ['the page of a microphone', openMicrophonePage, { ...someMessages, ...microphoneMessages }],
  ['the page of a speaker', openSpeakerPage, someMessages],
])('%s', (_port, openPort, floods) => {
  it.each(Object.entries(floods))(
    'neither holds the event loop nor its memory for %s',
    async (_flood, bytes) => expectNoHarm(await openPort(), bytes),
    caseLimitMs,
  )
})

it(
  'the realtime socket keeps nothing of ten floods',
  async () => {
    const open = await openWebSocketPort('/v1/realtime')
    const floodOnce = async () => {
      const socket = await open()
      await flood(socket, realtimeMessages['empty pieces of sound']!, false)
      socket.destroy()
    }
    // The first sound starts what detects turns, which stays.
    await floodOnce()
    const before = await heldMebibytes()
    for (let times = 0; times < 10; times++) await floodOnce()
    const enough = before + maxKeptMebibytes
    expect(await heldMebibytes(enough)).toBeLessThan(enough)
  },
  caseLimitMs,
)
