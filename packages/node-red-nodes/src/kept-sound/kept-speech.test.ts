import type { ServerResponse } from 'node:http'
import { createClient, type SpeechChunk, type SpeechRequest } from '@parlando/core'
import { createMemoryStore, type SpeechStore } from '@parlando/store'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServiceCall, SpeakingOptions } from '../runtime/speech-service.ts'
import { KeptSpeech } from './kept-speech.ts'

const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const request: SpeechRequest = {
  text: 'The door is open.',
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig,
}
/** A tenth of a second. */
const piece = (value: number) => Buffer.alloc(4800, value)
const signal = new AbortController().signal

type Respond = (response: ServerResponse, text: string) => unknown

/** How the service says the name. */
let nguyen = 'win'

/** A service, its client, and what is kept of its speech. */
async function start(respond: Respond = (response) => response.end(audioLine(piece(1)))) {
  const server = await startTestServer((response, _request, bytes) => {
    void respond(response, JSON.parse(Buffer.from(bytes).toString()).text)
  })
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
  onTestFinished(() => client.close())
  const store: SpeechStore = createMemoryStore({ maxBytes: 10_000_000 })
  let open = 0
  const kept = new KeptSpeech({
    place: async () => ({ address: server.baseUrl }),
    pronounce: (text) => text.replace('Nguyen', nguyen),
    store: Promise.resolve(store),
    mayAsk: ({ keep }) => keep !== false,
    mayAdd: async (voiceId) => voiceId !== 'a clone',
    onSpoken() {},
    async use(_signal, work) {
      open += 1
      await work(client)
      open -= 1
    },
  })
  const speak = (
    changes: object = {},
    { signal: own = signal, ...options }: Partial<ServiceCall> & SpeakingOptions = {},
  ) => kept.speak({ ...request, ...changes }, { signal: own }, options)
  return {
    server,
    store,
    kept,
    speak,
    say: async (...said: Parameters<typeof speak>) => collect(await speak(...said)),
    /** Connections in use. */
    openConnections: () => open,
    untilKept: (sounds = 1) => vi.waitFor(() => expect(store.size()?.sounds).toBe(sounds)),
  }
}

async function collect(speech: AsyncIterable<SpeechChunk>): Promise<SpeechChunk[]> {
  const chunks: SpeechChunk[] = []
  for await (const chunk of speech) chunks.push({ ...chunk, audio: Buffer.from(chunk.audio) })
  return chunks
}

/** Responds with pieces that the test sends one by one. */
function byHand() {
  let response: ServerResponse | undefined
  return {
    respond: (next: ServerResponse) => {
      response = next
      next.flushHeaders()
    },
    begun: () => vi.waitFor(() => expect(response).toBeDefined()),
    send: (value: number) => response!.write(audioLine(piece(value))),
    end: () => response!.end(),
    breakOff: () => response!.destroy(),
  }
}

describe('a text that was spoken', () => {
  it('is not requested again, and has the same pieces, times, warnings and format', async () => {
    const word = { words: ['The'], wordStartTimeSeconds: [0], wordEndTimeSeconds: [0.1] }
    const warnings = [{ code: 'skipped-characters', message: 'It skips one', characters: '?' }]
    const { server, speak, untilKept, kept } = await start((response) => {
      response.setHeader('x-parlando-warnings', JSON.stringify(warnings))
      const usage = { processedCharactersCount: 17 }
      response.write(audioLine(piece(1), { timestampInfo: { wordAlignment: word } }))
      response.end(audioLine(piece(2), { usage }))
    })
    const first = await speak()
    const chunks = await collect(first)
    expect(first.isKept).toBe(false)
    expect(chunks.length).toBe(2)
    await untilKept()
    const again = await speak()
    expect(await collect(again)).toEqual(chunks)
    const { encoding, mediaType, sampleRateHertz } = first
    expect(again).toMatchObject({
      isKept: true,
      ...{ encoding, mediaType, sampleRateHertz, warnings },
      firstAudioMs: expect.any(Number),
    })
    expect(server.requests).toHaveLength(1)
    expect(kept.figures).toEqual({ hits: 1, misses: 1, savedCharacters: 17, savedSeconds: 0.2 })
  })

  it('is requested again with another text, voice, model, format or setting', async () => {
    const { server, say, untilKept } = await start()
    const changes = [
      {},
      { text: 'The door is open' },
      { voiceId: 'Ralph' },
      { modelId: 'svc-tts-2-flash' },
      { audioConfig: { ...audioConfig, sampleRateHertz: 16_000 } },
      { audioConfig: { ...audioConfig, speakingRate: 1.1 } },
      { language: 'en-GB' },
      { instruction: 'Whisper.' },
    ]
    for (const change of changes) await say(change)
    await untilKept(changes.length)
    for (const change of changes) await say(change)
    expect(server.requests).toHaveLength(changes.length)
  })

  it('is requested again when a word of it is said in another way, unlike other texts', async () => {
    const { server, say, untilKept } = await start()
    const change = { text: 'Nguyen called.' }
    await say(change)
    await say()
    await untilKept(2)
    nguyen = 'nuh-win'
    onTestFinished(() => {
      nguyen = 'win'
    })
    await say()
    expect(server.requests).toHaveLength(2)
    await say(change)
    expect(server.requests).toHaveLength(3)
  })

  it('is requested each time if the message says so, and its sound is not kept', async () => {
    const { server, say, store } = await start()
    await say({}, { keep: false })
    await say({}, { keep: false })
    expect(server.requests).toHaveLength(2)
    expect(store.size()?.sounds).toBe(0)
  })

  it('is not kept in a voice that must not be', async () => {
    const { server, say } = await start()
    for (const _ of [1, 2]) await say({ voiceId: 'a clone' })
    expect(server.requests).toHaveLength(2)
  })

  it('is kept unchanged if a flow changes the bytes of its message', async () => {
    const { speak, untilKept } = await start()
    for (const isFirst of [true, false]) {
      for await (const { audio } of await speak()) {
        expect(audio[0]).toBe(1)
        audio.fill(9)
      }
      if (isFirst) await untilKept()
    }
  })

  it.each([
    [
      'breaks off',
      (response: ServerResponse) => response.write(audioLine(piece(1)), () => response.destroy()),
    ],
    ['is empty', (response: ServerResponse) => response.end()],
    ['is an error', (response: ServerResponse) => response.writeHead(400).end('{"message":"No."}')],
  ])('is not kept if the response %s', async (_title, respond) => {
    const { say, store, server, openConnections } = await start(respond)
    for (const _ of [1, 2]) await expect(say()).rejects.toThrow()
    expect(server.requests).toHaveLength(2)
    expect(store.size()?.sounds).toBe(0)
    await vi.waitFor(() => expect(openConnections()).toBe(0))
  })

  it('is not kept if it is longer than four minutes, and takes no more memory', async () => {
    const { say, store, server } = await start((response) => {
      for (let count = 0; count < 100; count += 1)
        response.write(audioLine(Buffer.alloc(48_000, 1)))
      response.end()
    })
    for (const _ of [1, 2]) {
      const chunks = await say()
      expect(chunks.reduce((sum, { audio }) => sum + audio.length, 0)).toBe(4_800_000)
    }
    expect(server.requests).toHaveLength(2)
    expect(store.size()?.sounds).toBe(0)
  })

  it('is rejected with the error of the client if it is not valid', async () => {
    const { say, server } = await start()
    await expect(say({ text: 5n })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(say({ voiceId: Buffer.alloc(10) })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(server.requests).toEqual([])
  })
})

describe('a text that several want at the same time', () => {
  it('is requested once, and each hears every piece as soon as it exists', async () => {
    const hand = byHand()
    const { speak, server, untilKept, kept, openConnections } = await start(hand.respond)
    const heard: number[][] = [[], [], []]
    const listen = async (index: number) => {
      for await (const { audio } of await speak()) heard[index]!.push(audio[0]!)
    }
    const first = listen(0)
    await hand.begun()
    hand.send(1)
    await vi.waitFor(() => expect(heard[0]).toEqual([1]))
    const others = [listen(1), listen(2)]
    await vi.waitFor(() => expect(heard).toEqual([[1], [1], [1]]))
    // A service that stops when it is unused runs meanwhile.
    expect(openConnections()).toBe(1)
    hand.send(2)
    await vi.waitFor(() =>
      expect(heard).toEqual([
        [1, 2],
        [1, 2],
        [1, 2],
      ]),
    )
    hand.end()
    await Promise.all([first, ...others])
    await untilKept()
    expect(server.requests).toHaveLength(1)
    expect(kept.figures).toMatchObject({ hits: 2, misses: 1 })
  })

  it('goes on for the others if the first one leaves, and is kept', async () => {
    const hand = byHand()
    const { speak, server, untilKept, openConnections } = await start(hand.respond)
    const leaving = new AbortController()
    const left = collect(await speak({}, { signal: leaving.signal }))
    await hand.begun()
    const stayed = collect(await speak())
    hand.send(1)
    leaving.abort(new Error('stopped'))
    await expect(left).rejects.toThrow('stopped')
    hand.send(2)
    hand.end()
    expect((await stayed).length).toBe(2)
    await untilKept()
    expect(server.requests).toHaveLength(1)
    await vi.waitFor(() => expect(openConnections()).toBe(0))
  })

  it('is aborted when the last one leaves, and is not kept', async () => {
    const hand = byHand()
    const { speak, server, store, openConnections } = await start(hand.respond)
    const leaving = [new AbortController(), new AbortController()]
    const left = leaving.map(async ({ signal }) => collect(await speak({}, { signal })))
    await hand.begun()
    hand.send(1)
    const disconnected = server.nextDisconnect()
    for (const one of leaving) one.abort(new Error('stopped'))
    for (const one of left) await expect(one).rejects.toThrow('stopped')
    await disconnected
    await vi.waitFor(() => expect(openConnections()).toBe(0))
    expect(store.size()?.sounds).toBe(0)
  })

  it('is aborted when a loop ends early', async () => {
    const hand = byHand()
    const { speak, server } = await start(hand.respond)
    const speech = await speak()
    const disconnected = server.nextDisconnect()
    void hand.begun().then(() => hand.send(1))
    for await (const _ of speech) break
    await disconnected
  })

  it('fails for all of them, and is requested again for the next one', async () => {
    const hand = byHand()
    const { say, server, kept } = await start(hand.respond)
    const both = [say(), say()]
    await hand.begun()
    hand.send(1)
    hand.breakOff()
    for (const one of both) await expect(one).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    expect(kept.figures).toEqual({ hits: 0, misses: 1, savedCharacters: 0, savedSeconds: 0 })
    const next = say()
    await vi.waitFor(() => expect(server.requests).toHaveLength(2))
    hand.send(1)
    hand.end()
    expect((await next).length).toBe(1)
  })
})
