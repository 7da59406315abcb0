import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import {
  connectTo,
  startWyoming,
} from '@parlando/test-support/local-service/wyoming/wyoming-service'
import { describe, expect, it } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import type { WyomingEvent } from '../../remote/wyoming/event.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import { ServedConnection } from './serve-connection.ts'

const app = useTestApp()
const maxConnections = 64

describe('the Wyoming port', () => {
  it.each<[string, string, string]>([
    ['a long line', `{"type":"${'x'.repeat(70_000)}`, 'line'],
    ['long data', '{"type":"synthesize-chunk","data_length":8000000}\n', 'data'],
    ['a long payload', '{"type":"audio-chunk","payload_length":8000000}\n', 'payload'],
    ['a negative length', '{"type":"ping","payload_length":-1}\n', 'payload_length'],
    ['many values', data(`{"a":[${'0,'.repeat(10_000)}0]}`), 'values'],
    ['deep nesting', data(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`), 'nests'],
    ['data that is not JSON', data('{"a"'), 'not JSON'],
    ['data that is not an object', data('[]'), 'data'],
    ['an event without a type', '{}\n', 'type'],
  ])('reports an error for %s, and closes the connection', async (_, bytes, problem) => {
    const { server, failures } = await startWyoming(app)
    const client = connectTo(server)
    client.socket.write(bytes)
    expect(await client.next()).toMatchObject({
      type: 'error',
      data: { code: 'INVALID_ARGUMENT', text: expect.stringContaining(problem) },
    })
    expect(await client.next()).toBeUndefined()
    expect(failures).toEqual([])
  })

  it('makes room for a new connection, and keeps the one that is transcribed', async () => {
    const { server } = await startWyoming(app)
    const recorder = connectTo(server)
    recorder.send('audio-start', { rate: 16_000, width: 2, channels: 1 })
    recorder.send('ping')
    await recorder.next()
    const silent = Array.from({ length: maxConnections }, () => connectTo(server))
    for (const client of silent.slice(1)) {
      client.send('ping')
      expect(await client.next()).toMatchObject({ type: 'pong' })
    }
    expect(await silent[0]!.next()).toBeUndefined()
    recorder.send('audio-stop')
    expect(await recorder.next()).toMatchObject({ type: 'transcript' })
  })

  it('closes the connection that holds most when unfinished events fill the memory', async () => {
    const { server } = await startWyoming(app)
    const unfinished = Array.from({ length: 20 }, () => connectTo(server))
    const head = '{"type":"audio-chunk","payload_length":2000000}\n'
    const payload = Buffer.alloc(1_900_000)
    for (const { socket } of unfinished) {
      socket.write(head)
      socket.write(payload)
    }
    const closed = unfinished.map((client) => client.next().catch(() => undefined))
    await Promise.race(closed)
    const client = connectTo(server)
    client.send('ping', { text: 'x'.repeat(1000) })
    expect(await client.next()).toMatchObject({ type: 'pong' })
  })
})

function data(json: string): string {
  return `{"type":"ping","data_length":${json.length}}\n${json}`
}

it('a client that does not read the speech has to wait', async () => {
  let read = 0
  async function* events(): AsyncGenerator<WyomingEvent, void> {
    const event = { data: {}, payload: new Uint8Array() }
    for (;;) {
      read++
      yield { ...event, type: 'synthesize-start' }
      yield { ...event, type: 'synthesize-stop' }
      if (read % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const closing = new AbortController()
  const connection: WyomingConnection = {
    events: events(),
    send: () => new Promise(() => {}),
    address: '127.0.0.1',
    closed: closing.signal,
    end() {},
    destroy() {},
  }
  new ServedConnection(connection, {
    engines: new Map([['flite', app.flite]]),
    recognisers: new Map([['fake', createFakeRecogniser()]]),
    encoders: createEncoderPool(),
    voiceList: app.voiceList,
    onFailure() {},
  })
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  closing.abort()
  expect(read).toBeLessThan(100)
})
