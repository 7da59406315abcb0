import { abortWhenConnected } from '@parlando/test-support/local-service/wyoming/abort-when-connected'
import {
  artifact,
  startWyomingServer,
} from '@parlando/test-support/local-service/wyoming/wyoming-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WyomingEvent } from '../../remote/wyoming/event.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import type { RecognitionRequest } from '../recogniser.ts'
import { createWyomingRecogniser, type WyomingRecogniserOptions } from './wyoming-recogniser.ts'

const { signal } = new AbortController()
const second = new Int16Array(16_000).fill(1000)

const info = {
  type: 'info',
  data: {
    asr: [
      artifact('faster-whisper', {
        description: 'Faster Whisper',
        models: [artifact('tiny', { languages: ['en', 'de'] })],
        supports_transcript_streaming: true,
      }),
      artifact('absent', { installed: false, models: [] }),
    ],
    tts: [],
  },
}

/** A recogniser and the server behind it, which responds to `audio-stop` with these events. */
async function start(
  respond: (connection: WyomingConnection, event: WyomingEvent) => Promise<void> | void,
  options: Partial<WyomingRecogniserOptions> = {},
) {
  const server = await startWyomingServer(async (event, connection) => {
    if (event.type === 'describe') await connection.send(info)
    else await respond(connection, event)
  })
  const warnings: string[] = []
  const recogniser = await createWyomingRecogniser({
    address: server.address,
    warn: (message) => warnings.push(message),
    ...options,
  })
  onTestFinished(() => recogniser.close())
  const recognise = async (request: Partial<RecognitionRequest> = {}) => {
    const modelId = 'wyoming/faster-whisper'
    const recognition = await recogniser.open({ modelId, withWords: false, signal, ...request })
    await recognition.write(second)
    return recognition.end()
  }
  return { server, recogniser, recognise, warnings }
}

/** Responds as wyoming-faster-whisper, which closes the connection after a transcript. */
const transcribe = async (connection: WyomingConnection, { type }: WyomingEvent) => {
  if (type !== 'audio-stop') return
  await connection.send({ type: 'transcript', data: { text: ' Turn it off. ' } })
  connection.end()
}

describe('the Wyoming recogniser', () => {
  it.each([
    ['de', { text: 'Guten Tag.', language: 'de' }],
    ['auto', { text: 'Guten Tag.' }],
    [['de'], { text: 'Guten Tag.' }],
  ])('reports the language that the server names: %j', async (language, expected) => {
    const { recognise } = await start(async (connection, { type }) => {
      const data = { text: 'Guten Tag.', language }
      if (type === 'audio-stop') await connection.send({ type: 'transcript', data })
    })
    expect(await recognise()).toEqual(expected)
  })

  it('offers the installed programs of the server', async () => {
    const { recogniser, warnings } = await start(transcribe)
    expect(recogniser.models).toMatchObject([
      {
        modelId: 'wyoming/faster-whisper',
        displayName: 'Faster Whisper',
        langCodes: ['EN_US', 'DE_DE'],
        hasInterimResults: true,
      },
    ])
    expect(warnings).toEqual([])
  })

  it('sends the utterance while it is spoken, and connects anew for the next one', async () => {
    const { server, recognise } = await start(transcribe)
    for (let count = 0; count < 2; count++) {
      server.events.length = 0
      const text = await recognise({ language: 'de-AT', prompts: ['Clara'] })
      expect(text).toEqual({ text: 'Turn it off.' })
      expect(server.events).toMatchObject([
        { type: 'transcribe', data: { language: 'de', transcript_terms: ['Clara'] } },
        { type: 'audio-start', data: { rate: 16_000, width: 2, channels: 1, timestamp: 0 } },
        { type: 'audio-chunk', data: { rate: 16_000, width: 2, channels: 1, timestamp: 0 } },
        { type: 'audio-stop', data: { timestamp: 1000 } },
      ])
      expect(server.events[2]!.payload).toHaveLength(32_000)
    }
  })

  it('lets the server detect the language', async () => {
    const { server, recognise } = await start(transcribe)
    await recognise({ language: 'auto' })
    const [request] = server.events.filter(({ type }) => type === 'transcribe')
    expect(request!.data).toEqual({})
  })

  it('reports the text so far', async () => {
    const { recognise } = await start(async (connection, { type }) => {
      if (type !== 'audio-stop') return
      await connection.send({ type: 'transcript-start' })
      await connection.send({ type: 'transcript-chunk', data: { text: 'Turn' } })
      await connection.send({ type: 'transcript-chunk', data: { text: ' it off' } })
      await connection.send({ type: 'transcript', data: { text: 'Turn it off' } })
      await connection.send({ type: 'transcript-stop' })
    })
    const interims: string[] = []
    const { text } = await recognise({ onInterim: (interim) => interims.push(interim) })
    expect(text).toBe('Turn it off')
    expect(interims).toEqual(['Turn', 'Turn it off'])
  })

  it('accepts a transcript before the end of the audio, and sends no more', async () => {
    let chunks = 0
    const { recogniser, server } = await start(async (connection, { type }) => {
      if (type !== 'audio-chunk' || chunks++ > 0) return
      await connection.send({ type: 'transcript', data: { text: 'Stop' } })
    })
    const request = { modelId: 'wyoming/faster-whisper', withWords: false, signal }
    const recognition = await recogniser.open(request)
    await recognition.write(second)
    await expect.poll(() => chunks).toBe(1)
    for (let count = 0; count < 200; count++) {
      await recognition.write(second.subarray(0, 160))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await recognition.end()).toEqual({ text: 'Stop' })
    expect(server.events.length).toBeLessThan(150)
  })

  it.each<[string, (connection: WyomingConnection) => Promise<void> | void, RegExp]>([
    [
      'reports an error',
      (connection) =>
        connection.send({ type: 'error', data: { text: 'no such model', code: 'x' } }),
      /reports an error: no such model/,
    ],
    ['closes the connection', (connection) => connection.end(), /closed the connection without/],
    ['resets the connection', (connection) => connection.destroy(), /failed/],
  ])(
    'rejects the utterance if the server %s, and recognises the next one',
    async (_, fail, message) => {
      let isFirst = true
      const { recognise } = await start(async (connection, event) => {
        if (!isFirst) return transcribe(connection, event)
        if (event.type !== 'audio-stop') return
        isFirst = false
        await fail(connection)
      })
      await expect(recognise()).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(message),
      })
      expect(await recognise()).toEqual({ text: 'Turn it off.' })
    },
  )

  it('rejects an utterance if the server takes too long', async () => {
    const { recognise } = await start(() => {}, { timeLimitMs: 50 })
    await expect(recognise()).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took longer than 0.05 s'),
    })
  })

  it('closes the connection after an abort', async () => {
    const abort = new AbortController()
    const reason = new Error('the caller disconnected')
    const { recognise, server } = await start((_, { type }) => {
      if (type === 'audio-stop') abort.abort(reason)
    })
    await expect(recognise({ signal: abort.signal })).rejects.toBe(reason)
    await expect.poll(server.openSockets).toBe(0)
  })

  it('closes a connection that is there only after the caller has gone', async () => {
    const { recognise, server } = await start(() => {})
    await expect.poll(server.openSockets).toBe(0)
    await expect(recognise({ signal: abortWhenConnected() })).rejects.toThrow('gone')
    await expect.poll(server.accepted).toBe(2)
    await expect.poll(server.openSockets).toBe(0)
  })

  it('offers no models and warns if the server cannot be reached', async () => {
    const { recogniser, recognise, warnings } = await start(() => {}, {
      address: 'tcp://127.0.0.1:9',
    })
    expect(recogniser.models).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/tcp:\/\/127.0.0.1:9 .*ECONNREFUSED/)])
    await expect(recognise()).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
