import { createServer } from 'node:http'
import {
  created,
  done,
  responding,
  said,
  sentOf,
  speech,
  useConverse,
} from '@parlando/test-support/node-red/flows/converse-flow'
import type { ServerSocket } from '@parlando/test-support/servers/socket-server'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'

const { startConverse, unload } = useConverse()

const call = {
  type: 'function_call',
  id: 'f1',
  call_id: 'c1',
  name: 'light',
  arguments: '{"room":"hall"}',
}
const called = { type: 'response.output_item.done', response_id: 'r1', output_index: 0, item: call }

const pcm = { encoding: 'PCM', sampleRateHertz: 16_000, channels: 1 }
const chunk = (index: number, payload = Buffer.alloc(640, 1)) => ({
  payload,
  audio: pcm,
  topic: 'hall',
  parts: { id: 'recording', type: 'buffer', index },
})
const end = (index: number) => ({
  ...chunk(index, Buffer.alloc(0)),
  parts: { id: 'recording', type: 'buffer', index, count: index + 1 },
  complete: true,
})

describe('a conversation', () => {
  it('has the settings of the form', async () => {
    const { server, receive } = await startConverse(responding(), {
      instructions: 'Be brief.',
      voice: 'Clara',
      tools: 'light: switches a light | room = hall, kitchen',
      endOfTurn: 'quick',
      mayInterrupt: false,
    })
    receive({ payload: 'Hello', tools: '' })
    await vi.waitFor(() => expect(server.sockets[0]?.messages.length).toBe(3))
    expect(server.sockets[0]!.messages[0]).toMatchObject({
      type: 'session.update',
      session: {
        instructions: 'Be brief.',
        model: 'svc/models/echo',
        audio: {
          input: {
            format: { type: 'audio/pcm', rate: 24_000 },
            turn_detection: { silence_duration_ms: 300, interrupt_response: false },
          },
          output: { voice: 'Clara' },
        },
        tools: [{ name: 'light', description: 'switches a light' }],
      },
    })
  })

  it('lets the service hear whether a turn is complete', async () => {
    const settings = { endOfTurn: 'understands', mayInterrupt: true }
    const { server, receive } = await startConverse(responding(), settings)
    receive({ payload: 'Hello' })
    await vi.waitFor(() => expect(server.sockets[0]?.messages.length).toBe(3))
    const detection = { type: 'semantic_vad', create_response: true, interrupt_response: true }
    expect(server.sockets[0]!.messages[0]).toMatchObject({
      session: { audio: { input: { turn_detection: detection } } },
    })
  })

  it.each([
    [{}, {}, 'Clara'],
    [{ language: 'de-AT' }, {}, 'Greta'],
    [{ language: 'de' }, { language: 'fr' }, 'Margot'],
    [{ language: 'de', voice: 'Kit' }, { language: 'fr' }, 'Kit'],
  ])('speaks with the voice of its language: %j, %j', async (form, message, voice) => {
    const voices = ['Clara EN_US', 'Greta DE_DE', 'Margot FR_FR'].map((line) => {
      const [voiceId, langCode] = line.split(' ')
      return { voiceId, langCode }
    })
    const list = createServer((_request, response) => void response.end(JSON.stringify({ voices })))
    const { server, receive } = await startConverse({ ...responding(), server: list }, form)
    receive({ payload: 'Hello', ...message })
    await vi.waitFor(() => expect(server.sockets[0]?.messages.length).toBe(3))
    expect(server.sockets[0]!.messages[0]).toMatchObject({
      session: { audio: { output: { voice } } },
    })
  })

  it('sends the sound of a response as a sequence, and who said what', async () => {
    const { flow, receive } = await startConverse(
      responding(created, speech(20), speech(10), said('Good morning.'), done()),
    )
    receive({ payload: 'Hello', topic: 'hall' })
    const [first, second, last] = await flow.waitFor('out', 3)
    const { id } = first!['parts'] as { id: string }
    expect(first).toMatchObject({
      topic: 'hall',
      payload: Buffer.alloc(960, 1),
      audio: { encoding: 'PCM', sampleRateHertz: 24_000, channels: 1 },
      parts: { id, type: 'buffer', index: 0 },
    })
    expect(second).toMatchObject({ parts: { id, index: 1 }, audio: { durationSeconds: 0.03 } })
    expect(last).toMatchObject({
      payload: Buffer.alloc(0),
      parts: { id, index: 2, count: 3 },
      complete: true,
    })
    expect(last).not.toHaveProperty('interrupted')
    expect(flow.received('transcript')).toMatchObject([
      { payload: 'Good morning.', role: 'assistant', topic: 'hall' },
    ])
  })

  it('says which language the user spoke, if the service reports it', async () => {
    const heard = {
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'i0',
      content_index: 0,
    }
    const { flow, receive } = await startConverse(
      responding(
        { ...heard, transcript: 'guten Tag', language: 'de' },
        { ...heard, transcript: 'hello' },
      ),
    )
    receive({ payload: 'Hello', transcript: { language: 'fr' } })
    const [german, unknown] = await flow.waitFor('transcript', 2)
    expect(german).toMatchObject({ payload: 'guten Tag', transcript: { language: 'de' } })
    expect(unknown).not.toHaveProperty('transcript')
  })

  it('shows that it listens as soon as the sound of a response was heard', async () => {
    const { flow, receive } = await startConverse(
      responding(created, speech(300), said('Good morning.'), done()),
    )
    receive({ payload: 'Hello' })
    const shown = () => flow.statuses('converse').map(({ text }) => text)
    await vi.waitFor(() => expect(shown()).toContain('converse.status.speaking'))
    await vi.waitFor(() => expect(shown().at(-1)).toBe('converse.status.listening'))
  })

  it('takes the number that an inject node sends, as a text', async () => {
    const { server, receive } = await startConverse(responding())
    receive({ payload: 1_764_000_000_000 })
    await vi.waitFor(() =>
      expect(sentOf(server.sockets[0], 'conversation.item.create')).toMatchObject([
        { item: { content: [{ type: 'input_text', text: '1764000000000' }] } },
      ]),
    )
  })

  it('takes recordings, and ends a turn after each', async () => {
    const { server, receive } = await startConverse(responding())
    for (const message of [chunk(0), chunk(1), end(2)]) receive(message)
    // 40 ms of speech, and the silence that ends the turn.
    await vi.waitFor(() => expect(audioBytes(server.sockets[0])).toBeGreaterThan(48_000))
    expect(audioBytes(server.sockets[0])).toBeLessThan(50_000)
  })

  it('asks for a response at the end of a recording, if the form says so', async () => {
    const { server, receive } = await startConverse(responding(), { endOfTurn: 'recording' })
    for (const message of [chunk(0), end(1)]) receive(message)
    await vi.waitFor(() => expect(sentOf(server.sockets[0], 'response.create').length).toBe(1))
    expect(sentOf(server.sockets[0], 'input_audio_buffer.commit').length).toBe(1)
  })

  it.each(['stop', 'close'])('ends at once: %s', async (how) => {
    const { server, flow, receive } = await startConverse(responding())
    receive({ payload: 'Hello' })
    await vi.waitFor(() => expect(server.sockets.length).toBe(1))
    if (how === 'stop') receive({ stop: true })
    else await unload()
    await vi.waitFor(() => expect(server.openConnections()).toBe(0))
    expect(flow.received('caught')).toEqual([])
  })

  it('ends soon after a statement, if the form says so', async () => {
    const { flow, receive } = await startConverse(
      responding(created, said('The light is on.'), done()),
      { keepListening: 'short' },
    )
    const beganAt = performance.now()
    receive({ payload: 'Hello' })
    await flow.waitFor('completed', 1)
    expect(performance.now() - beganAt).toBeGreaterThan(1900)
    expect(flow.statuses('converse').at(-1)).toMatchObject({ fill: 'green' })
  })
})

const audioBytes = (socket: ServerSocket | undefined) =>
  sentOf(socket, 'input_audio_buffer.append').reduce((total: number, message) => {
    const { audio } = message as { audio: string }
    return total + Buffer.from(audio, 'base64').length
  }, 0)

describe('a tool call', () => {
  it('is a message, and its result continues the response', async () => {
    const { server, flow, receive } = await startConverse(
      responding(created, called, done({ output: [call] })),
    )
    receive({ payload: 'Turn on the light' })
    const [message] = await flow.waitFor('tool', 1)
    expect(message).toMatchObject({
      payload: { room: 'hall' },
      tool: { name: 'light', callId: 'c1' },
    })
    await vi.waitFor(() =>
      expect(flow.statuses('converse').at(-1)?.text).toBe('converse.status.tool'),
    )
    receive({ ...message, payload: { on: true } })
    const [socket] = server.sockets
    await vi.waitFor(() => expect(sentOf(socket, 'response.create').length).toBe(2))
    expect(sentOf(socket, 'conversation.item.create').at(-1)).toMatchObject({
      item: { type: 'function_call_output', call_id: 'c1', output: '{"on":true}' },
    })
  })

  it('is not made if a limit has cut its arguments, and the user can go on', async () => {
    const cut = { ...call, arguments: '{"room":"ha', status: 'incomplete' }
    const ended = done({ status: 'incomplete', output: [cut] })
    const { flow, receive } = await startConverse(
      responding(created, { ...called, item: cut }, said('Well.'), ended),
    )
    receive({ payload: 'Turn on the light' })
    await flow.waitFor('transcript', 1)
    await vi.waitFor(() =>
      expect(flow.statuses('converse').at(-1)?.text).toBe('converse.status.listening'),
    )
    expect(flow.received('tool')).toEqual([])
  })

  it('is not every property of that name', async () => {
    const { server, flow, receive } = await startConverse(responding(created, done()))
    for (const tool of [{}, 'hammer']) receive({ payload: 'Hello', tool })
    await vi.waitFor(() =>
      expect(sentOf(server.sockets[0], 'conversation.item.create').length).toBe(2),
    )
    expect(flow.received('caught')).toEqual([])
  })

  it('of the conversation before is an error, and does not end the next one', async () => {
    const { server, flow, receive } = await startConverse(
      responding(created, called, done({ output: [call] })),
    )
    receive({ payload: 'Turn on the light' })
    const [message] = await flow.waitFor('tool', 1)
    receive({ stop: true })
    await flow.waitFor('completed', 1)
    receive({ payload: 'Hello again' })
    receive({ ...message, payload: { on: true } })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught?.['error']).toMatchObject({ code: 'INVALID_INPUT' })
    await vi.waitFor(() => expect(sentOf(server.sockets[1], 'response.create').length).toBe(1))
    expect(server.sockets[1]!.webSocket.readyState).toBe(WebSocket.OPEN)
  })

  it('whose conversation has ended is an error', async () => {
    const { flow, receive } = await startConverse(responding())
    receive({ payload: 1, tool: { name: 'light', callId: 'c1' } })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught?.['error']).toMatchObject({ code: 'INVALID_INPUT' })
  })
})

describe('a failure', () => {
  it('of the service reaches Catch and ends the conversation', async () => {
    const error = { code: 'deadline_exceeded', message: 'too slow' }
    const { server, flow, receive } = await startConverse(responding({ type: 'error', error }))
    receive({ payload: 'Hello' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught?.['error']).toMatchObject({
      message: 'converse.error.service',
      code: 'DEADLINE_EXCEEDED',
      cause: { retryable: true, status: 504 },
    })
    await vi.waitFor(() => expect(server.openConnections()).toBe(0))
  })

  it.each([
    [
      'transcription',
      'UNAVAILABLE',
      {
        type: 'conversation.item.input_audio_transcription.failed',
        item_id: 'u1',
        content_index: 0,
        error: { code: 'unavailable', message: 'the recogniser has crashed' },
      },
    ],
    [
      'response',
      'UNKNOWN',
      done({ status: 'failed', status_details: { error: { message: 'no voice' } } }),
    ],
    ['response', 'FAILED', done({ status: 'failed' })],
  ])('of a %s reaches Catch as %s, and the conversation goes on', async (what, code, failed) => {
    const { server, flow, receive } = await startConverse(responding(failed))
    receive({ payload: 'Hello', topic: 'hall' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      topic: 'hall',
      error: { message: expect.stringContaining(`converse.error.${what}`), code },
    })
    await vi.waitFor(() =>
      expect(flow.statuses('converse').at(-1)).toMatchObject({
        fill: 'blue',
        text: `converse.status.no-${what}`,
      }),
    )
    receive({ payload: 'Hello again' })
    await vi.waitFor(() =>
      expect(sentOf(server.sockets[0], 'conversation.item.create').length).toBe(2),
    )
    receive({ stop: true })
    await flow.waitFor('completed', 1)
  })

  it('before the conversation begins does not take the next messages with it', async () => {
    const { flow, receive } = await startConverse(responding(), { service: 'deleted' })
    receive({ payload: 'Hello' })
    await flow.waitFor('caught', 1)
    receive({ payload: 'Hello again' })
    const [, again] = await flow.waitFor('caught', 2)
    expect(again).toMatchObject({ payload: 'Hello again', error: { code: 'INVALID_INPUT' } })
  })

  it('is not that two things happened at the same time', async () => {
    const error = { code: 'response_cancel_not_active', message: 'Cancellation failed' }
    const { flow, receive } = await startConverse(
      responding({ type: 'error', error }, created, speech(10), done()),
    )
    receive({ payload: 'Hello' })
    await flow.waitFor('out', 2)
    expect(flow.received('caught')).toEqual([])
  })
})
