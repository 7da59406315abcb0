import { textFrame, textFrames } from '@parlando/test-support/local-service/clients/raw-web-socket'
import { casesToRun, propertyRuns } from '@parlando/test-support/vitest/property-runs'
import { encodeEvent } from '../../../packages/local-service/src/remote/wyoming/event.ts'

/** The messages of one flood, in one piece, by what they are. */
type Floods = Record<string, Buffer>

const many = propertyRuns(100_000)

const json = (...messages: object[]) =>
  Buffer.concat(messages.map((message) => textFrame(JSON.stringify(message))))
const repeat = (bytes: Buffer, count: number) => Buffer.alloc(bytes.length * count, bytes)
const list = (length: number, item: unknown) => Array.from({ length }, () => item)

export const anyMessages: Floods = {
  'empty messages': textFrames('', many),
  'messages of a byte': textFrames('x', many),
  'empty objects': textFrames('{}', many),
  pings: repeat(Buffer.from([0x89, 0x80, 0, 0, 0, 0]), many),
  'a message of a megabyte of values': textFrame(`[${'0,'.repeat(500_000)}0]`),
  'a message that nests deeply': textFrame('['.repeat(1_000_000)),
}
/** For the sockets that read their messages as the realtime socket does. */
export const someMessages = Object.fromEntries(casesToRun(Object.entries(anyMessages), 2))

const item = (part: object, parts: number) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: list(parts, part) },
})
export const realtimeMessages: Floods = {
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
export const speechMessages: Floods = {
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
export const transcriptionMessages: Floods = {
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
export const microphoneMessages: Floods = {
  'samples of sound': Buffer.concat([start, repeat(soundFrame(2), many)]),
  'empty pieces of sound': Buffer.concat([start, repeat(soundFrame(0), many)]),
  'sound in large pieces': Buffer.concat([start, repeat(soundFrame(6400), many / 10)]),
  'recordings that end at once': repeat(json({ type: 'start' }, { type: 'end' }), many / 2),
}

const format = { rate: 16_000, width: 2, channels: 1 }
const event = (type: string, data: Record<string, unknown> = {}, payload?: Uint8Array) =>
  encodeEvent({ type, data, ...(payload && { payload }) })
export const wyomingMessages: Floods = {
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
