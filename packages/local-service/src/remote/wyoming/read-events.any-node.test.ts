import { describe, expect, it } from 'vitest'
import { encodeEvent, type WyomingEvent } from './event.ts'
import { readWyomingEvents } from './read-events.ts'

async function read(...pieces: (string | Uint8Array)[]): Promise<WyomingEvent[]> {
  const events: WyomingEvent[] = []
  async function* source() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  for await (const event of readWyomingEvents(source())) events.push(event)
  return events
}

// The Python package `wyoming` 1.10.2 writes events like this.
const describeEvent = '{"type": "describe", "version": "1.10.2"}\n'
const chunkData = '{"rate": 16000, "width": 2, "channels": 1, "timestamp": null}'
const chunkHead = `{"type": "audio-chunk", "version": "1.10.2", "data_length": ${chunkData.length}, "payload_length": 4}\n`
const chunkEvent = Buffer.concat([
  Buffer.from(chunkHead + chunkData),
  Buffer.of(1, 0x0a, 0xff, 0x7b),
])
const textData = '{"text": "Grüße, 世界"}'
const textEvent = `{"type": "synthesize", "version": "1.10.2", "data_length": ${Buffer.byteLength(textData)}}\n${textData}`

describe('readWyomingEvents', () => {
  const all = Buffer.concat([Buffer.from(describeEvent), chunkEvent, Buffer.from(textEvent)])
  const expected = [
    { type: 'describe', data: {}, payload: Buffer.alloc(0) },
    {
      type: 'audio-chunk',
      data: { rate: 16_000, width: 2, channels: 1, timestamp: null },
      payload: Buffer.of(1, 0x0a, 0xff, 0x7b),
    },
    { type: 'synthesize', data: { text: 'Grüße, 世界' }, payload: Buffer.alloc(0) },
  ]

  it('reads the events of the reference client, wherever the bytes are cut', async () => {
    for (let cut = 0; cut <= all.length; cut++) {
      expect(await read(all.subarray(0, cut), all.subarray(cut))).toEqual(expected)
    }
    expect(await read(...Array.from(all, (byte) => Buffer.of(byte)))).toEqual(expected)
  })

  it('merges the data over that of the line', async () => {
    const line = '{"type":"transcribe","data":{"name":"a","language":"en"},"data_length":17}\n'
    const [event] = await read(`${line}{"language":"de"}`)
    expect(event).toMatchObject({ data: { name: 'a', language: 'de' } })
  })

  it('reads the events that encodeEvent writes', async () => {
    const events = [
      { type: 'ping', data: {}, payload: new Uint8Array() },
      { type: 'transcript', data: { text: 'Grüße' }, payload: new Uint8Array() },
      { type: 'audio-chunk', data: { rate: 16_000 }, payload: Buffer.of(10, 13) },
    ]
    expect(await read(...events.map(encodeEvent))).toMatchObject(
      events.map(({ type }) => ({ type })),
    )
    expect((await read(...events.map(encodeEvent))).map(({ data }) => data)).toEqual(
      events.map(({ data }) => data),
    )
  })

  it.each([
    ['a request of a web page', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    ['a list', '[]\n'],
    ['an event without a type', '{"data":{}}\n'],
    ['data that is not an object', '{"type":"a","data_length":2}\n[]'],
    ['data that is too long', '{"type":"a","data_length":99999999}\n'],
    ['a payload that is too long', '{"type":"a","payload_length":99999999}\n'],
    ['a negative length', '{"type":"a","payload_length":-1}\n'],
    ['a line that does not end', 'x'.repeat(2_000_000)],
    ['the end within the line', '{"type":"a"'],
    ['the end within the payload', '{"type":"a","payload_length":5}\nabc'],
  ])('rejects %s', async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow()
  })

  it('takes time in proportion to the number of bytes', async () => {
    const pieces = Array.from({ length: 8_000 }, () => Buffer.alloc(1000, ' '))
    const startMs = performance.now()
    const head = `{"type":"a","payload_length":${8_000_000}}\n`
    expect((await read(head, ...pieces))[0]!.payload).toHaveLength(8_000_000)
    expect(performance.now() - startMs).toBeLessThan(20_000)
  })
})

it('encodeEvent keeps the line short, since readers in Python fail on a long one', () => {
  const event = encodeEvent({ type: 'info', data: { text: 'x'.repeat(100_000) } })
  expect(event.indexOf('\n')).toBeLessThan(100)
})
