import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { transcribeStreamResponseSchema } from '@parlando/core/wire'
import { voicedSound } from '@parlando/test-support/audio/voiced-sound'
import { keys } from '@parlando/test-support/keys'
import {
  createFakeRecogniser,
  type FakeRecogniser,
} from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import {
  connectSocket,
  type SocketClient,
  type SocketClientOptions,
} from '@parlando/test-support/local-service/socket-client'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineError } from '../../../engine-error.ts'
import type { RunningEngine } from '../../../engines/registry.ts'
import type { ServerOptions } from '../../../http/server.ts'
import type { AppOptions } from '../../app.ts'

const path = '/stt/v1/transcribe:streamBidirectional'
const config = { transcribeConfig: {} }
const manual = { transcribeConfig: { vadThreshold: 0 } }
const endTurn = { endTurn: {} }
const closeStream = { closeStream: {} }

function silence(ms: number): Int16Array {
  return new Int16Array(ms * 16)
}

const voice = (ms: number) => voicedSound({ seconds: ms / 1000 })

/** Messages of 100 ms. */
function chunks(...sounds: Int16Array[]): object[] {
  const bytes = Buffer.concat(sounds.map(({ buffer }) => Buffer.from(buffer)))
  const count = Math.ceil(bytes.length / 3200)
  return Array.from({ length: count }, (_, index) =>
    chunk(bytes.subarray(index * 3200, (index + 1) * 3200)),
  )
}

const chunk = (bytes: Uint8Array) => ({
  audioChunk: { content: Buffer.from(bytes).toString('base64') },
})

/** Stops this thread, in which client and service run. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

let recogniser: FakeRecogniser
let failures: unknown[]
beforeEach(() => {
  recogniser = createFakeRecogniser()
  failures = []
})
afterEach(() => expect(failures).toEqual([]))

async function open(options: Partial<AppOptions> & Partial<ServerOptions> = {}) {
  const app = createTestApp({} as RunningEngine, (error) => failures.push(error), undefined, {
    recognisers: new Map([['fake', recogniser]]),
    ...options,
  })
  return openTestServer({ fetch: app.fetch, ...options })
}

async function connect(
  options: Partial<AppOptions> & Partial<ServerOptions> = {},
  client: SocketClientOptions = {},
): Promise<SocketClient> {
  const { baseUrl } = await open(options)
  return connectSocket(baseUrl, path, client)
}

/** The names of the results in order, finals with their text. */
function summary({ received }: SocketClient): string[] {
  return received.flatMap((message) => {
    const { result, error } = transcribeStreamResponseSchema.parse(message)
    if (error) return `error: ${typeof error === 'string' ? error : error.message}`
    const { transcription, ...other } = result!
    if (!transcription) return Object.keys(other)
    return transcription.isFinal ? `final ${transcription.transcript}` : []
  })
}

describe('a stream', () => {
  it('reports the start, the interim texts, the end and the final text of each turn, and the usage last', async () => {
    const client = await connect()
    client.send(
      config,
      ...chunks(silence(1000), voice(1000), silence(1000), voice(600)),
      closeStream,
    )
    expect(await client.closed).toBe(1000)
    expect(summary(client)).toEqual([
      'speechStarted',
      'speechStopped',
      expect.stringMatching(/^final (1[89]|20)\d\d ms$/),
      'speechStarted',
      'speechStopped',
      expect.stringMatching(/^final 1[56]\d\d ms$/),
      'usage',
    ])
    expect(client.received[0]).toEqual({ result: { speechStarted: { startTimeMs: 600 } } })
    expect(client.received[1]).toEqual({
      result: { transcription: { transcript: expect.any(String), isFinal: false } },
    })
    expect(client.received.at(-1)).toEqual({
      result: { usage: { transcribedAudioMs: 3600, modelId: 'fake/model' } },
    })
    expect(recogniser.running).toBe(0)
  })

  it('accepts names in snake_case and cuts at any byte', async () => {
    const client = await connect()
    const bytes = Buffer.from(voice(500).buffer)
    client.send({ transcribe_config: { vad_threshold: 0, sample_rate_hertz: 16_000 } })
    for (let start = 0; start < bytes.length; start += 777) {
      const content = bytes.subarray(start, start + 777).toString('base64')
      client.send({ audio_chunk: { content } })
    }
    client.send({ close_stream: {} })
    await client.closed
    expect(summary(client)).toEqual(['final 1160 ms', 'usage'])
  })

  it('passes the settings to the recogniser, and the words and the match to the client', async () => {
    const words = [{ text: 'hello', startSeconds: 0.1, endSeconds: 0.4, confidence: 0.9 }]
    const sentenceMatch = { sentence: 'hello', nearest: [] }
    recogniser.utterance = { text: 'hello', confidence: 0.8, words, sentenceMatch }
    const client = await connect()
    const settings = { language: 'en-GB', prompts: ['Clara'], sentences: ['hello'] }
    client.send({ transcribeConfig: { ...settings, includeWordTimestamps: true } })
    client.send(...chunks(silence(1000), voice(1000)), closeStream)
    await client.closed
    expect(recogniser.requests).toMatchObject([
      { ...settings, modelId: 'fake/model', withWords: true },
    ])
    expect(client.received.at(-2)).toEqual({
      result: {
        transcription: {
          transcript: 'hello',
          isFinal: true,
          silenceDurationMs: 0,
          confidence: 0.8,
          wordTimestamps: [{ word: 'hello', startTimeMs: 700, endTimeMs: 1000, confidence: 0.9 }],
          sentenceMatch,
        },
      },
    })
  })

  it.each([
    ['8 kHz', { sampleRateHertz: 8000 }, 2],
    ['48 kHz', { sampleRateHertz: 48_000 }, 1 / 3],
    ['two channels', { numberOfChannels: 2 }, 0.5],
  ])('converts %s', async (_name, format, factor) => {
    const client = await connect()
    client.send({ transcribeConfig: { vadThreshold: 0, ...format } })
    client.send(...chunks(silence(1200)), closeStream)
    await client.closed
    const [, ms] = /final ([\d.]+) ms/.exec(summary(client)[0]!)!
    expect(Number(ms) - 660).toBeCloseTo(1200 * factor, -1)
    expect(recogniser.requests).toHaveLength(1)
  })

  it('drops the headers of WAV files', async () => {
    const header = Buffer.alloc(44)
    header.write('RIFF')
    header.write('WAVEfmt ', 8)
    header.writeUInt32LE(16, 16)
    header.writeUInt16LE(1, 20)
    header.writeUInt16LE(1, 22)
    header.writeUInt32LE(16_000, 24)
    header.writeUInt16LE(16, 34)
    header.write('data', 36)
    const client = await connect()
    const file = chunk(Buffer.concat([header, Buffer.alloc(3200)]))
    client.send(manual, file, chunk(Buffer.alloc(3200)), file, closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final 960 ms', 'usage'])
    const other = await connect()
    header.writeUInt32LE(44_100, 24)
    other.send(manual, chunk(header))
    expect(await other.closed).toBe(1008)
    expect(JSON.stringify(other.received)).toMatch(/WAV file with 44100 Hz.*without a header/)
  })

  it('without any audio ends with the usage', async () => {
    const client = await connect()
    client.send(config, closeStream)
    expect(await client.closed).toBe(1000)
    expect(summary(client)).toEqual(['usage'])
  })

  it('with ten minutes of silence has no result', async () => {
    const client = await connect()
    client.send(config)
    const seconds = { audioChunk: { content: Buffer.alloc(20 * 32_000).toString('base64') } }
    for (let count = 0; count < 30; count++) client.send(seconds)
    client.send(closeStream)
    await client.closed
    expect(summary(client)).toEqual(['usage'])
  })
})

describe('endTurn', () => {
  it('ends a turn at once', async () => {
    const client = await connect()
    client.send(
      config,
      ...chunks(silence(500), voice(500)),
      endTurn,
      ...chunks(voice(500)),
      endTurn,
    )
    await expect.poll(() => summary(client)).toHaveLength(6)
    client.send(closeStream)
    await client.closed
    expect(summary(client).filter((name) => name.startsWith('final'))).toHaveLength(2)
  })

  it('without a turn has an empty final result', async () => {
    const client = await connect()
    client.send(config, ...chunks(silence(500)), endTurn, closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final ', 'usage'])
  })

  it('is the only end of a turn with a threshold of 0, within 30 s', async () => {
    const client = await connect()
    client.send(manual, ...chunks(silence(2000)), endTurn, ...chunks(silence(31_000)), closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final 2660 ms', 'final 30660 ms', 'final 1660 ms', 'usage'])
  })
})

describe('a stream is rejected', () => {
  const invalid = 3
  it.each<[string, (object | string)[], number, RegExp]>([
    [
      'audio before the config',
      chunks(silence(100)),
      invalid,
      /first message must have transcribeConfig/,
    ],
    ['two configs', [config, config], invalid, /only the first message/],
    ['a message that is not JSON', ['{'], invalid, /^The message is not JSON/],
    ['an empty message', [''], invalid, /not JSON/],
    ['a list', ['[]'], invalid, /object/],
    ['an unknown message', [{ sing: {} }], invalid, /exactly one of/],
    ['two messages in one', [{ ...config, ...endTurn }], invalid, /exactly one of/],
    ['audio that is not base64', [config, { audioChunk: { content: '?' } }], invalid, /not base64/],
    [
      'another encoding',
      [{ transcribeConfig: { audioEncoding: 'MP3' } }],
      invalid,
      /LINEAR16 only, not MP3/,
    ],
    [
      'an unknown model',
      [{ transcribeConfig: { modelId: 'x' } }],
      5,
      /Unknown recogniser model: x/,
    ],
    [
      'an unknown language',
      [{ transcribeConfig: { language: 'fi' } }],
      invalid,
      /this service does not understand fi/,
    ],
    ['deep nesting', ['['.repeat(50) + ']'.repeat(50)], invalid, /nests deeper/],
  ])('for %s', async (_name, messages, code, message) => {
    const client = await connect()
    client.send(...messages)
    expect(await client.closed).toBe(1008)
    expect(client.received).toEqual([
      { error: { code, message: expect.stringMatching(message), details: [] } },
    ])
    expect(recogniser.requests).toEqual([])
  })

  it('for a binary message', async () => {
    const client = await connect()
    client.webSocket.send(Buffer.from('{}'))
    expect(await client.closed).toBe(1008)
    expect(JSON.stringify(client.received)).toMatch(/binary; send JSON as text/)
  })

  it('for a message of more than a mebibyte', async () => {
    const client = await connect()
    client.send(config, 'x'.repeat(1024 * 1024 + 1))
    expect(await client.closed).toBe(1009)
  })

  it('without a recogniser, with the command that installs one', async () => {
    const client = await connect({ recognisers: new Map() })
    client.send(config)
    expect(await client.closed).toBe(1008)
    expect(client.received).toEqual([
      { error: { code: 12, message: expect.stringMatching(/sudo apt install/), details: [] } },
    ])
  })

  it('not for a time in which the service itself could not read', async () => {
    const hasWritten = new Promise<void>((resolve) => {
      recogniser.onWork = (work) => (work === 'write' ? resolve() : undefined)
    })
    const client = await connect()
    client.send({ transcribeConfig: { vadThreshold: 0, inactivityTimeoutSeconds: 1 } })
    client.send(...chunks(silence(100)))
    await hasWritten
    // After this, the event loop runs timers before it reads.
    await setImmediate()
    client.send(...chunks(silence(100)), closeStream)
    block(1100)
    await client.closed
    expect(summary(client)).toEqual(['final 860 ms', 'usage'])
  })

  it('after the silence that it allows, with the transcript of what was said', async () => {
    const client = await connect()
    client.send({ transcribeConfig: { inactivityTimeoutSeconds: 1 } }, ...chunks(voice(1000)))
    expect(await client.closed).toBe(1008)
    expect(summary(client)).toEqual([
      'speechStarted',
      'speechStopped',
      'final 1660 ms',
      'usage',
      'error: The client sent no message for 1 s',
    ])
    expect(client.received.at(-1)).toMatchObject({ error: { code: 4 } })
  })
})

describe('a recogniser that fails', () => {
  const fail = () => {
    throw new EngineError('unavailable', 'The recogniser has stopped')
  }

  it('in the middle of a turn starts again with all of the turn', async () => {
    let writes = 0
    recogniser.onWork = (work) => {
      if (work === 'write' && ++writes === 5) fail()
    }
    const client = await connect()
    client.send(manual, ...chunks(silence(1000)), closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final 1660 ms', 'usage'])
    expect(recogniser.requests).toHaveLength(2)
  })

  it('at the end of a turn starts again with all of the turn', async () => {
    let ends = 0
    recogniser.onWork = (work) => {
      if (work === 'end' && ++ends === 1) fail()
    }
    const client = await connect()
    client.send(manual, ...chunks(silence(1000)), closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final 1660 ms', 'usage'])
  })

  it('twice ends the stream with an error', async () => {
    recogniser.onWork = (work) => {
      if (work === 'write') fail()
    }
    const client = await connect()
    client.send(manual, ...chunks(silence(1000)))
    expect(await client.closed).toBe(1011)
    expect(client.received).toEqual([
      { error: { code: 14, message: 'The recogniser has stopped', details: [] } },
    ])
    expect(failures.splice(0)).toHaveLength(1)
  })
})

describe('a client that disconnects', () => {
  it.each(['open', 'write', 'end'] as const)('ends the recognition in %s', async (stage) => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    let goOn = () => {}
    const held = new Promise<void>((resolve) => (goOn = resolve))
    recogniser.onWork = (work) => {
      if (work !== stage) return
      arrive()
      return held
    }
    const client = await connect()
    client.send(manual, ...chunks(silence(500)), endTurn)
    await arrived
    client.webSocket.terminate()
    await expect.poll(() => recogniser.requests[0]!.signal.aborted).toBe(true)
    goOn()
    await expect.poll(() => recogniser.running).toBe(0)
  })

  it('while it does not read gets no more interim results than fit into a small buffer', async () => {
    const client = await connect()
    client.webSocket.pause()
    client.send(manual)
    const second = chunks(silence(100))[0]!
    for (let count = 0; count < 3000; count++) client.send(second)
    await expect.poll(() => client.webSocket.bufferedAmount).toBe(0)
    await wait(100)
    client.webSocket.resume()
    client.send(closeStream)
    await client.closed
    expect(summary(client).at(-1)).toBe('usage')
  })
})

describe('the handshake', () => {
  // A subprotocol cannot contain every character of a key.
  const apiKey = keys.service.replace(/\W/g, '')

  it.each<[string, SocketClientOptions]>([
    ['Basic', { headers: { authorization: `Basic ${apiKey}` } }],
    ['Bearer', { headers: { authorization: `Bearer ${apiKey}` } }],
    ['a subprotocol', { protocols: [`bearer_${apiKey}`] }],
  ])('accepts the key as %s', async (_name, options) => {
    const client = await connect({ apiKey }, options)
    client.send(config, closeStream)
    expect(await client.closed).toBe(1000)
  })

  it.each<[string, SocketClientOptions]>([
    ['no key', {}],
    ['a wrong key', { headers: { authorization: 'Basic wrong' } }],
    ['a wrong subprotocol', { protocols: ['bearer_wrong'] }],
  ])('is rejected with %s', async (_name, options) => {
    await expect(connect({ apiKey }, options)).rejects.toThrow(/^401 .*key is missing or wrong/)
  })

  it('of a web page is rejected unless its origin is allowed', async () => {
    const headers = { origin: 'https://example.org' }
    await expect(connect({}, { headers })).rejects.toThrow(/^403 .*https:\/\/example.org/)
    const client = await connect({ allowOrigins: ['https://example.org'] }, { headers })
    client.send(config, closeStream)
    expect(await client.closed).toBe(1000)
  })

  it('at an unknown path is rejected', async () => {
    const { baseUrl } = await open()
    await expect(connectSocket(baseUrl, '/other')).rejects.toThrow(/^404 .*Unknown path/)
  })

  it('is required', async () => {
    const { baseUrl } = await open()
    const response = await fetch(baseUrl + path)
    expect(response.status).toBe(426)
    expect(await response.text()).toMatch(/is a WebSocket/)
  })

  it('accepts a path whose colon is encoded', async () => {
    const { baseUrl } = await open()
    const client = await connectSocket(baseUrl, path.replace(':', '%3A'))
    client.send(config, closeStream)
    expect(await client.closed).toBe(1000)
  })
})

describe('the limits', () => {
  it('reject another socket, and accept it when one has closed', async () => {
    const { baseUrl } = await open({ maxSockets: 1 })
    const first = await connectSocket(baseUrl, path)
    await expect(connectSocket(baseUrl, path)).rejects.toThrow(/^429 .*limit of 1 socket/)
    first.send(config, closeStream)
    await first.closed
    const second = await connectSocket(baseUrl, path)
    second.send(config, closeStream)
    expect(await second.closed).toBe(1000)
  })

  it('keep a connection whose client sends audio, but responds to no ping', async () => {
    const client = await connect({ pingMs: 50 }, { autoPong: false })
    client.send(manual)
    let pings = 0
    client.webSocket.on('ping', () => {
      pings += 1
      client.send(...chunks(silence(100)))
    })
    await expect.poll(() => pings).toBeGreaterThan(3)
    client.send(closeStream)
    expect(await client.closed).toBe(1000)
  })

  it('end a connection whose client has disappeared', async () => {
    const client = await connect({ pingMs: 50 })
    client.webSocket.pause()
    client.send(manual, ...chunks(silence(100)))
    await expect.poll(() => recogniser.requests[0]?.signal.aborted).toBe(true)
    expect(recogniser.running).toBe(0)
  })
})

describe('a service that stops', () => {
  it('sends the results of running streams', async () => {
    const server = await open()
    const client = await connectSocket(server.baseUrl, path)
    client.send(config, ...chunks(silence(500), voice(1000)))
    await expect.poll(() => summary(client)).toEqual(['speechStarted'])
    await server.drain(5000)
    expect(await client.closed).toBe(1001)
    expect(summary(client)).toEqual([
      'speechStarted',
      'speechStopped',
      expect.stringMatching(/^final/),
      'usage',
    ])
  })

  it('cuts a stream that does not end', async () => {
    recogniser.onWork = (work) => (work === 'end' ? new Promise(() => {}) : undefined)
    const server = await open()
    const client = await connectSocket(server.baseUrl, path)
    client.send(manual, ...chunks(silence(500)))
    await expect.poll(() => recogniser.running).toBe(1)
    await server.drain(50)
    await server.close()
    expect(await client.closed).toBe(1006)
  })
})
