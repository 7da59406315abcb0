import { wakeWordResponseSchema } from '@parlando/core/wire'
import {
  connectSocket,
  type SocketClient,
} from '@parlando/test-support/local-service/clients/socket-client'
import {
  chunks,
  closeStream,
  silence,
  useTestTranscription,
} from '@parlando/test-support/local-service/clients/transcription-stream'
import {
  createFakeWakeWordDetector,
  type FakeWakeWordDetector,
  fakeWakeWord,
} from '@parlando/test-support/local-service/fake-wake-word-detector'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { EngineError } from '../../errors/engine-error.ts'

const path = '/stt/v1/wakeWords:streamBidirectional'
const config = { wakeWordConfig: { phrases: ['hey house'] } }
const waiting = { modelId: 'fake/model', phrases: ['hey house'], isRough: false }

describe('the models', () => {
  const detectors = [
    createFakeWakeWordDetector(),
    createFakeWakeWordDetector({ modelId: 'fake/own', phrases: ['hey_jarvis'], isRough: true }),
  ]
  const service = useTestApp({
    wakeWords: new Map(detectors.map((each, index) => [`${index}`, each])),
  })
  const mute = useTestApp()

  it('are listed with their phrases', async () => {
    const response = await service.app.request('/stt/v1/wakeWordModels')
    const shared = { displayName: 'Fake', langCodes: ['EN_US'] }
    expect(await response.json()).toEqual({
      models: [
        { modelId: 'fake/model', ...shared, isRough: false },
        { modelId: 'fake/own', ...shared, phrases: ['hey_jarvis'], isRough: true },
      ],
    })
  })

  it('may be none', async () => {
    const response = await mute.app.request('/stt/v1/wakeWordModels')
    expect(await response.json()).toEqual({ models: [] })
  })
})

describe('a stream', () => {
  const service = useTestTranscription()
  let detector: FakeWakeWordDetector
  beforeEach(() => {
    detector = createFakeWakeWordDetector()
  })
  const connect = () => service.connect({ wakeWords: new Map([['fake', detector]]) }, {}, path)
  const errorOf = ({ received }: SocketClient) => JSON.stringify(received.at(-1))
  const detectionsOf = ({ received }: SocketClient) =>
    received.flatMap((message) => wakeWordResponseSchema.parse(message).result?.detection ?? [])

  it('says that it waits, and reports each wake word with its time', async () => {
    const client = await connect()
    client.send(config, ...chunks(silence(500), fakeWakeWord(), silence(300), fakeWakeWord()))
    client.send(closeStream)
    expect(await client.closed).toBe(1000)
    expect(client.received).toEqual([
      { result: { waiting } },
      { result: { detection: { phrase: 'hey house', score: 0.9, endTimeMs: 550, isFirst: true } } },
      { result: { detection: { phrase: 'hey house', score: 0.9, endTimeMs: 950, isFirst: true } } },
    ])
    expect(detector.requests).toMatchObject([{ phrases: ['hey house'], sensitivity: 0.5 }])
    expect(detector.running).toBe(0)
  })

  it('finds wake words in audio that is cut at any byte', async () => {
    const client = await connect()
    const bytes = Buffer.from(fakeWakeWord().buffer)
    client.send({ wake_word_config: { phrases: ['hey house'], sensitivity: 0.9 } })
    for (let start = 0; start < bytes.length; start += 777) {
      const content = bytes.subarray(start, start + 777).toString('base64')
      client.send({ audio_chunk: { content } })
    }
    client.send({ close_stream: {} })
    await client.closed
    expect(client.received.at(-1)).toMatchObject({ result: { detection: { endTimeMs: 50 } } })
    expect(detector.requests).toMatchObject([{ sensitivity: 0.9 }])
  })

  it('says which of several microphones has heard the same word first', async () => {
    const { baseUrl } = await service.open({ wakeWords: new Map([['fake', detector]]) })
    const connectWith = async (phrase: string) => {
      const client = await connectSocket(baseUrl, path)
      client.send({ wakeWordConfig: { phrases: [phrase] } })
      return client
    }
    const [kitchen, hall, garden] = [
      await connectWith('hey house'),
      await connectWith('Hey, house!'),
      await connectWith('hey garden'),
    ]
    const now = vi.spyOn(performance, 'now')
    onTestFinished(() => now.mockRestore())
    const hear = async (client: SocketClient, atMs: number) => {
      now.mockReturnValue(atMs)
      const { length } = detectionsOf(client)
      client.send(...chunks(fakeWakeWord()))
      await vi.waitFor(() => expect(detectionsOf(client)).toHaveLength(length + 1))
      return detectionsOf(client).at(-1)!.isFirst
    }
    expect(await hear(kitchen, 100_000)).toBe(true)
    expect(await hear(hall, 100_900)).toBe(false)
    expect(await hear(garden, 100_900)).toBe(true)
    // The same one may hear the word again, and the others after a second.
    expect(await hear(kitchen, 101_000)).toBe(true)
    expect(await hear(hall, 102_001)).toBe(true)
  })

  it.each<[string, object[], RegExp]>([
    ['without a config', [chunks(silence(100))[0]!], /The first message must have wakeWordConfig/],
    ['with a second config', [config, config], /only the first message may have one/],
    [
      'of an unknown model',
      [{ wakeWordConfig: { modelId: 'none' } }],
      /Unknown wake word model: none/,
    ],
    ['without a phrase', [{ wakeWordConfig: {} }], /phrases: name at least one/],
    ['with an empty phrase', [{ wakeWordConfig: { phrases: [' '] } }], /must not be empty/],
    ['of malformed audio', [config, { audioChunk: { content: '!' } }], /audioChunk.content: /],
  ])('%s is rejected', async (_name, messages, message) => {
    const client = await connect()
    client.send(...messages)
    expect(await client.closed).toBe(1008)
    expect(errorOf(client)).toMatch(message)
    expect(detector.running).toBe(0)
  })

  it('of a service without a detector says how to install one', async () => {
    const client = await service.connect({}, {}, path)
    client.send(config)
    await client.closed
    expect(errorOf(client)).toMatch(/apt install pocketsphinx/)
  })

  it('takes the phrases of the model, in any spelling', async () => {
    detector = createFakeWakeWordDetector({ phrases: ['hey_jarvis', 'alexa'] })
    for (const phrases of [['Hey, Jarvis!'], undefined]) {
      const client = await connect()
      client.send({ wakeWordConfig: { phrases } }, closeStream)
      await client.closed
    }
    expect(detector.requests.map(({ phrases }) => phrases)).toEqual([
      ['hey_jarvis'],
      ['hey_jarvis', 'alexa'],
    ])
    const other = await connect()
    other.send(config)
    await other.closed
    expect(errorOf(other)).toMatch(/this service finds only these: hey_jarvis, alexa/)
  })

  it('ends with the error of its detector', async () => {
    detector.onWork = (work) => {
      if (work === 'push') throw new EngineError('unavailable', 'The detector failed')
    }
    const client = await connect()
    client.send(config, ...chunks(silence(100)))
    expect(await client.closed).toBe(1011)
    expect(client.received.at(-1)).toMatchObject({ error: { message: 'The detector failed' } })
    expect(service.failures.splice(0)).toHaveLength(1)
    expect(detector.running).toBe(0)
  })

  it('closes its detector when the client is gone', async () => {
    const client = await connect()
    client.send(config)
    await vi.waitFor(() => expect(detector.running).toBe(1))
    client.webSocket.terminate()
    await vi.waitFor(() => expect(detector.running).toBe(0))
  })
})
