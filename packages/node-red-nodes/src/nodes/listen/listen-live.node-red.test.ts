import { useListen } from '@parlando/test-support/node-red/flows/listen-flow'
import {
  type ServerSocket,
  type SocketServerHandlers,
  startSocketServer,
} from '@parlando/test-support/servers/socket-server'
import { describe, expect, it, vi } from 'vitest'

const { loadListen, unload } = useListen()

const samples = Buffer.alloc(640, 7)
const format = { encoding: 'PCM', sampleRateHertz: 16_000 }

/** A message with a chunk of a sequence. */
const chunk = (index: number, rest: object = {}, id = 'a') => ({
  payload: samples,
  audio: format,
  parts: { id, type: 'buffer', index },
  ...rest,
})
const end = (index: number, id = 'a') => ({
  payload: Buffer.alloc(0),
  audio: format,
  parts: { id, type: 'buffer', index, count: index + 1 },
  complete: true,
})

const transcription = (transcript: string, rest: object = {}) => ({
  result: { transcription: { transcript, ...rest } },
})
const final = (transcript: string, rest: object = {}) =>
  transcription(transcript, { isFinal: true, ...rest })
const usage = { result: { usage: { transcribedAudioMs: 40, modelId: 'pocketsphinx/en-us' } } }

/** A service that responds to the first chunk, and to the end of the audio. */
function responding({ first = [], last = [] }: { first?: object[]; last?: object[] }) {
  const handlers: SocketServerHandlers = {
    onMessage(socket, message) {
      const chunks = socket.messages.filter((one) => 'audioChunk' in (one as object)).length
      const isFirst = message['audioChunk'] !== undefined && chunks === 1
      if (isFirst) for (const response of first) socket.send(response)
      if (message['closeStream'] === undefined) return
      for (const response of [...last, usage]) socket.send(response)
      socket.webSocket.close(1000)
    },
  }
  return startSocketServer(handlers)
}

const configOf = (socket: ServerSocket | undefined) =>
  (socket!.messages[0] as { transcribeConfig: Record<string, unknown> }).transcribeConfig

describe('chunks of samples', () => {
  it('are sent while they arrive, and each turn becomes a message at once', async () => {
    const server = await responding({
      first: [final('good morning', { confidence: 0.9 })],
      last: [final('good night')],
    })
    const flow = await loadListen(server.baseUrl, { language: 'en-US' })
    flow.node('listen').receive(chunk(0, { topic: 'hall', transcript: { tookMs: 1 } }))
    const [first] = await flow.waitFor('out', 1)
    expect(first).toEqual({
      _msgid: expect.any(String),
      topic: 'hall',
      payload: 'good morning',
      transcript: { confidence: 0.9, tookMs: expect.any(Number) },
    })
    expect(flow.received('completed').length).toBe(0)
    flow.node('listen').receive(chunk(1))
    flow.node('listen').receive(end(2))
    await flow.waitFor('completed', 3)
    expect(flow.received('out').map(({ payload }) => payload)).toEqual([
      'good morning',
      'good night',
    ])
    const [socket] = server.sockets
    expect(configOf(socket)).toMatchObject({ language: 'en-US', sampleRateHertz: 16_000 })
    const sent = (socket?.messages ?? []).map((message) => {
      const { audioChunk } = message as { audioChunk?: { content: string } }
      return Buffer.from(audioChunk?.content ?? '', 'base64')
    })
    expect(Buffer.concat(sent)).toEqual(Buffer.concat([samples, samples]))
    expect(flow.lastStatus()).toMatchObject({ fill: 'green', shape: 'dot' })
  })

  it('have 16,000 samples per second if nothing else is stated', async () => {
    const server = await responding({})
    const flow = await loadListen(server.baseUrl)
    flow.node('listen').receive({ ...chunk(0), audio: undefined })
    flow.node('listen').receive(end(1))
    flow.node('listen').receive(chunk(0, { audio: { ...format, sampleRateHertz: 48_000 } }, 'b'))
    flow.node('listen').receive(end(1, 'b'))
    await flow.waitFor('completed', 4)
    expect(server.sockets.map((socket) => configOf(socket)['sampleRateHertz'])).toEqual([
      16_000, 48_000,
    ])
  })

  it('without speech send no message', async () => {
    const server = await responding({ last: [final('')] })
    const flow = await loadListen(server.baseUrl)
    flow.node('listen').receive(chunk(0))
    flow.node('listen').receive(end(1))
    await flow.waitFor('completed', 2)
    expect(flow.received('out')).toEqual([])
    expect(flow.lastStatus()?.text).toBe('listen.status.silent')
  })

  it('send the text so far and the limits of speech on their own outputs', async () => {
    const server = await responding({
      first: [
        { result: { speechStarted: { startTimeMs: 120 } } },
        transcription('good'),
        transcription('good morning'),
        { result: { speechStopped: { silenceDurationMs: 500 } } },
        final('good morning'),
      ],
    })
    const flow = await loadListen(server.baseUrl, { interim: true, speech: true, outputs: 3 })
    flow.node('listen').receive(chunk(0))
    await flow.waitFor('out', 1)
    flow.node('listen').receive(end(1))
    await flow.waitFor('completed', 2)
    expect(flow.received('interim').map(({ payload }) => payload)).toEqual(['good', 'good morning'])
    expect(flow.received('speech')).toMatchObject([
      { payload: true, speech: { startSeconds: 0.12 } },
      { payload: false, speech: { silenceMs: 500 } },
    ])
    const { tookMs } = flow.received('out')[0]!['transcript'] as { tookMs: number }
    expect(tookMs).toBeGreaterThanOrEqual(500)
  })

  it('show that the node recognises, from the end of speech to its text', async () => {
    const server = await responding({
      first: [
        { result: { speechStarted: { startTimeMs: 120 } } },
        { result: { speechStopped: { silenceDurationMs: 500 } } },
      ],
      last: [final('good morning')],
    })
    const flow = await loadListen(server.baseUrl)
    const shows = (text: string) =>
      vi.waitFor(() =>
        expect(flow.lastStatus()?.text).toMatch(new RegExp(`^listen.status.${text}`)),
      )
    flow.node('listen').receive(chunk(0))
    await shows('recognising')
    flow.node('listen').receive(end(1))
    await shows('heard')
  })

  it('become a command with its slots, or are not understood', async () => {
    const sentence = 'turn on the hall light'
    const server = await responding({
      first: [final('x', { sentenceMatch: { sentence, nearest: [sentence] } })],
      last: [final('y', { sentenceMatch: { sentence: null, nearest: [sentence] } })],
    })
    const sentences = 'light on: turn on the {room} light\n{room} = hall, kitchen'
    const flow = await loadListen(server.baseUrl, { output: 'sentences', sentences })
    flow.node('listen').receive(chunk(0))
    flow.node('listen').receive(end(1))
    await flow.waitFor('completed', 2)
    const command = { name: 'light on', slots: { room: 'hall' } }
    expect(flow.received('out')).toMatchObject([{ payload: sentence, command }])
    expect(flow.received('not-understood')).toMatchObject([{ payload: 'y', nearest: [sentence] }])
    expect(configOf(server.sockets[0])['sentences']).toEqual([
      sentence,
      'turn on the kitchen light',
    ])
  })

  it.each([
    ['normal', '', {}],
    ['quick', '', { maxTurnSilence: 300, minEndOfTurnSilenceWhenConfident: 300 }],
    ['understands', '', { maxTurnSilence: 1000, minEndOfTurnSilenceWhenConfident: 200 }],
    ['silence', '750', { maxTurnSilence: 750, minEndOfTurnSilenceWhenConfident: 750 }],
    ['recording', '', { vadThreshold: 0 }],
  ])('end a turn as the form says: %s', async (endOfTurn, silenceMs, settings) => {
    const server = await responding({})
    const flow = await loadListen(server.baseUrl, { endOfTurn, silenceMs })
    flow.node('listen').receive(chunk(0))
    flow.node('listen').receive(end(1))
    await flow.waitFor('completed', 2)
    const { maxTurnSilence, minEndOfTurnSilenceWhenConfident, vadThreshold } = configOf(
      server.sockets[0],
    )
    const sent = { maxTurnSilence, minEndOfTurnSilenceWhenConfident, vadThreshold }
    expect(JSON.parse(JSON.stringify(sent))).toEqual(settings)
  })

  it('of a second recording wait for the first one, and are all kept', async () => {
    const server = await responding({ last: [final('good night')] })
    const flow = await loadListen(server.baseUrl)
    flow.node('listen').receive(chunk(0))
    for (const message of [chunk(0, {}, 'b'), chunk(1, {}, 'b'), end(2, 'b')]) {
      flow.node('listen').receive(message)
    }
    await vi.waitFor(() => expect(server.sockets.length).toBe(1))
    flow.node('listen').receive(end(1))
    await flow.waitFor('completed', 5)
    expect(flow.received('out').length).toBe(2)
    const second = server.sockets[1]?.messages.filter(
      (message) => 'audioChunk' in (message as object),
    )
    expect(second?.length).toBe(2)
  })

  it('of recordings that are rejected do not end the one in progress', async () => {
    const server = await responding({ last: [final('good night')] })
    const flow = await loadListen(server.baseUrl)
    flow.node('listen').receive(chunk(0))
    await vi.waitFor(() => expect(server.sockets.length).toBe(1))
    // The thousandth message that waits is the last one.
    for (let count = 0; count < 1000; count++) flow.node('listen').receive({ payload: samples })
    for (let count = 0; count < 16; count++) flow.node('listen').receive(chunk(0, {}, `r${count}`))
    await flow.waitFor('caught', 16)
    flow.node('listen').receive(end(1))
    const [heard] = await flow.waitFor('out', 1)
    expect(heard).toMatchObject({ payload: 'good night' })
  })

  it('of a new recording replace the old one, if the form says so', async () => {
    const server = await responding({ last: [final('good night')] })
    const flow = await loadListen(server.baseUrl, { busy: 'replace' })
    flow.node('listen').receive(chunk(0, { topic: 'old' }))
    await vi.waitFor(() => expect(server.sockets.length).toBe(1))
    flow.node('listen').receive(chunk(0, { topic: 'new' }, 'b'))
    flow.node('listen').receive(chunk(1))
    flow.node('listen').receive(end(2))
    flow.node('listen').receive(end(1, 'b'))
    await flow.waitFor('completed', 5)
    expect(flow.received('out')).toMatchObject([{ topic: 'new' }])
    expect(flow.received('caught')).toEqual([])
  })
})

describe('a failure during live audio', () => {
  it.each([
    ['a missing chunk', chunk(2), /speech.chunk-missing/],
    ['a sequence that begins again', chunk(0), /sound\.end-missing/],
  ])('reaches Catch and closes the connection: %s', async (_what, message, sentence) => {
    const server = await responding({})
    const flow = await loadListen(server.baseUrl)
    flow.node('listen').receive(chunk(0, { topic: 'hall' }))
    await vi.waitFor(() => expect(server.sockets.length).toBe(1))
    flow.node('listen').receive(message)
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      topic: 'hall',
      payload: samples,
      error: { code: 'INVALID_INPUT', message: expect.stringMatching(sentence) },
    })
  })

  it('of the service ends the sequence: its other chunks are dropped', async () => {
    const server = await responding({
      first: [{ error: { code: 12, message: 'no recogniser is installed' } }],
    })
    const flow = await loadListen(server.baseUrl)
    flow.node('listen').receive(chunk(0))
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      error: {
        code: 'UNIMPLEMENTED',
        message: expect.stringMatching(/no recogniser is installed/),
      },
    })
    for (const message of [chunk(1), chunk(2), end(3)]) flow.node('listen').receive(message)
    await flow.waitFor('completed', 3)
    expect(flow.received('caught').length).toBe(1)
    expect(server.sockets.length).toBe(1)
    await vi.waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it('is a first chunk that never arrived, reported once', async () => {
    const server = await responding({})
    const flow = await loadListen(server.baseUrl)
    for (const message of [chunk(1), chunk(2), end(3)]) flow.node('listen').receive(message)
    const [caught] = await flow.waitFor('caught', 1)
    await flow.waitFor('completed', 2)
    expect(caught?.['error']).toMatchObject({ message: expect.stringMatching(/chunk-missing/) })
    expect(server.sockets).toEqual([])
  })
})

it.each(['stop', 'close'])('live audio ends at once: %s', async (how) => {
  const server = await responding({})
  const flow = await loadListen(server.baseUrl)
  flow.node('listen').receive(chunk(0))
  await vi.waitFor(() => expect(server.sockets.length).toBe(1))
  if (how === 'stop') flow.node('listen').receive({ stop: true })
  else await unload()
  await vi.waitFor(() => expect(server.openConnections()).toBe(0))
  expect(flow.received('caught')).toEqual([])
  if (how === 'stop') expect(flow.lastStatus()).toEqual({})
})
