import {
  type ClientMessage,
  chunk,
  read,
  responding,
  settings,
  speaking,
  startSpeech,
} from '@parlando/test-support/servers/speech-socket-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DebugEvent } from '../../http/trace.ts'

describe('a speech socket', () => {
  it('speaks many texts through one connection', async () => {
    const { server, socket } = await startSpeech(speaking())
    const context = socket.context(settings)
    context.write('The laundry ')
    context.write('is done.')
    context.flush()
    context.write(' Now.')
    context.end()
    const { audio, ...result } = await context.collect()
    expect(audio).toEqual(Buffer.alloc(100, 7))
    expect(result).toMatchObject({
      encoding: 'PCM',
      mediaType: 'audio/pcm',
      sampleRateHertz: 24_000,
      requestId: server.sockets[0]!.headers['x-request-id'],
    })
    expect(context.durationSeconds).toBeCloseTo(50 / 24_000)
    expect(context.firstAudioMs).toBeGreaterThan(0)
    const next = socket.context({ ...settings, modelId: 'svc-tts-2-flash', autoMode: true })
    next.write('Hi.')
    next.end()
    expect((await next.collect()).audio).toHaveLength(12)
    expect(server.handshakes()).toBe(1)
    expect(server.sockets[0]!.url).toBe('/tts/v1/voice:streamBidirectional')
    const contextId = 'context-1'
    expect(server.sockets[0]!.messages).toEqual([
      { contextId, create: { ...settings, modelId: 'svc-tts-2' } },
      { contextId, send_text: { text: 'The laundry ' } },
      { contextId, send_text: { text: 'is done.' } },
      { contextId, flush_context: {} },
      { contextId, send_text: { text: ' Now.' } },
      { contextId, close_context: {} },
      {
        contextId: 'context-2',
        create: { ...settings, modelId: 'svc-tts-2-flash', autoMode: true },
      },
      { contextId: 'context-2', send_text: { text: 'Hi.' } },
      { contextId: 'context-2', close_context: {} },
    ])
  })

  it('joins the syntheses of a context to one file with one time line and one usage', async () => {
    const words = (text: string) => ({
      timestampInfo: {
        wordAlignment: {
          words: [text],
          wordStartTimeSeconds: [0.1],
          wordEndTimeSeconds: [0.2],
        },
      },
    })
    const usage = (count: number) => ({
      usage: { processedCharactersCount: count, modelId: 'svc-tts-2' },
    })
    const { socket } = await startSpeech(
      responding(
        { contextCreated: {} },
        chunk(24_000, usage(4)),
        chunk(0, { ...words('One.'), ...usage(0) }),
        { flushCompleted: {} },
        chunk(24_000, { ...words('Two.'), ...usage(8) }),
        { flushCompleted: {} },
        { contextClosed: {} },
      ),
    )
    const context = socket.context({ ...settings, timestampType: 'WORD' })
    context.write('One. Two.')
    context.end()
    const { audio, timestamps, usage: total } = await context.collect()
    expect(audio).toHaveLength(48_000)
    expect(timestamps?.words).toEqual([
      { text: 'One.', startSeconds: 0.1, endSeconds: 0.2 },
      { text: 'Two.', startSeconds: 0.6, endSeconds: 0.7 },
    ])
    expect(total).toEqual({ processedCharactersCount: 8, modelId: 'svc-tts-2' })
  })

  it('collects any number of timestamps up to maxResponseBytes', async () => {
    const times = Array(200_000).fill(0.5)
    const characterAlignment = {
      characters: Array(200_000).fill('a'),
      characterStartTimeSeconds: times,
      characterEndTimeSeconds: times,
    }
    const timed = chunk(8, { timestampInfo: { characterAlignment } })
    const service = responding(timed, timed, { contextClosed: {} })
    const { socket } = await startSpeech(service)
    const { socket: limited } = await startSpeech(service, { maxResponseBytes: 40_000_000 })
    const contexts = [socket, limited].map((each) => each.context(settings))
    for (const context of contexts) {
      context.write('Hi.')
      context.end()
    }
    const [whole, tooLarge] = contexts.map((context) => context.collect())
    expect((await whole!).timestamps?.characters).toHaveLength(400_000)
    await expect(tooLarge).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
      message: 'Speech failed: the response is larger than the limit of 40000000 bytes',
    })
  })

  it('sends a long text in messages of at most 2,000 characters, and none in the middle of a character', async () => {
    const { server, socket } = await startSpeech(speaking())
    const context = socket.context(settings)
    const text = `${'a'.repeat(1999)}😀${'b'.repeat(3000)}`
    context.write(text)
    context.end()
    await context.collect()
    const sent = server.sockets[0]!.messages.flatMap(
      (message) => (message as ClientMessage).send_text?.text ?? [],
    )
    expect(sent.map(({ length }) => length)).toEqual([1999, 2000, 1002])
    expect(sent.join('')).toBe(text)
  })

  it('keeps the audio until it is read, and drops the audio of a closed context', async () => {
    const { server, socket } = await startSpeech(speaking())
    const dropped = socket.context(settings)
    dropped.write('Never heard.')
    const kept = socket.context(settings)
    kept.write('Kept.')
    kept.end()
    await vi.waitFor(() => expect(kept.durationSeconds).toBeDefined())
    await dropped.close()
    const next = socket.context(settings)
    next.write('Hi.')
    next.end()
    await next.collect()
    const messages = server.sockets[0]!.messages.filter(
      (message) => (message as ClientMessage).contextId === 'context-1',
    )
    expect(messages.at(-1)).toEqual({ contextId: 'context-1', close_context: {} })
    expect((await kept.collect()).audio).toHaveLength(20)
    expect(dropped.firstAudioMs).toBeUndefined()
    expect(() => dropped.write('Hi.')).toThrow('write was called after end or close')
    await expect(read(dropped)).rejects.toThrow('can be consumed once')
  })

  it('has at most five contexts, and takes new ones when the service has closed old ones', async () => {
    const { socket } = await startSpeech(speaking())
    const contexts = Array.from({ length: 5 }, () => socket.context(settings))
    expect(socket.freeContexts).toBe(0)
    expect(() => socket.context(settings)).toThrow('the speech socket has 5 contexts')
    for (const context of contexts) context.end()
    await Promise.all(contexts.map(read))
    expect(socket.freeContexts).toBe(5)
    socket.context(settings)
  })

  it('has as many contexts as before after one that was aborted before it began', async () => {
    const { socket, server } = await startSpeech(speaking())
    const aborted = socket.context(settings, { signal: AbortSignal.abort(new Error('never')) })
    await expect(read(aborted)).rejects.toThrow('never')
    expect(socket.freeContexts).toBe(5)
    const context = socket.context(settings)
    context.write('Hi.')
    context.end()
    await read(context)
    expect(server.sockets[0]!.messages).not.toContainEqual(
      expect.objectContaining({ contextId: 'context-1' }),
    )
  })

  it('ends a context without text, and fails one whose text has no audio', async () => {
    const { socket } = await startSpeech(responding({ contextClosed: {} }))
    const silent = socket.context(settings)
    silent.write(' … ')
    silent.end()
    const spoken = socket.context(settings)
    spoken.write('Hi.')
    spoken.end()
    expect(await read(silent)).toEqual([])
    await expect(read(spoken)).rejects.toMatchObject({ code: 'NO_AUDIO' })
  })

  it.each([
    ['settings that are not valid', { voiceId: '' }, 'voiceId'],
    ['FLAC', { ...settings, audioConfig: { audioEncoding: 'FLAC' } }, 'a socket cannot send FLAC'],
    ['a field that a socket does not have', { ...settings, instruction: 'Calm' }, 'instruction'],
  ])('rejects %s before it sends anything', async (_name, input, message) => {
    const { socket } = await startSpeech(speaking())
    expect(() => socket.context(input as never)).toThrow(message)
  })

  it('reports the connection to the debug hook', async () => {
    const events: DebugEvent[] = []
    const { socket } = await startSpeech(speaking(), { debug: (event) => events.push(event) })
    await socket.opened()
    await socket.close()
    await vi.waitFor(() => expect(events).toHaveLength(3))
    expect(events.map(({ type }) => type)).toEqual(['request', 'first-byte', 'end'])
    expect(events.at(-1)).toMatchObject({ what: 'Speech', code: 'ABORTED' })
  })

  it('shows the service every four minutes that a context is still used, unless its text has ended or it waits', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const isQuiet = responding({ contextCreated: {} })
    const { server: quiet, socket: other } = await startSpeech(isQuiet, { maxConcurrent: 1 })
    other.context(settings).end()
    other.context(settings).write('Waits for maxConcurrent.')
    await vi.waitFor(() => expect(quiet.sockets[0]!.messages).toHaveLength(2))
    const { server, socket } = await startSpeech(speaking())
    const context = socket.context(settings)
    context.write('Hi.')
    context.flush()
    const chunks = context[Symbol.asyncIterator]()
    await chunks.next()
    vi.advanceTimersByTime(4 * 60_000)
    context.end()
    while (!(await chunks.next()).done);
    expect(server.sockets[0]!.messages.slice(-2)).toEqual([
      { contextId: 'context-1', send_text: { text: '' } },
      { contextId: 'context-1', close_context: {} },
    ])
    expect(quiet.sockets[0]!.messages.at(-1)).toMatchObject({ close_context: {} })
  })

  it('rejects with an error that the reader of a context throws, and goes on', async () => {
    const { socket } = await startSpeech(speaking())
    const context = socket.context(settings)
    context.write('Hi.')
    context.end()
    const reading = context.consume(() => {
      throw new Error('the disk is full')
    })
    await expect(reading).rejects.toThrow('the disk is full')
    const next = socket.context(settings)
    next.write('Hi.')
    next.end()
    expect((await next.collect()).audio).toHaveLength(12)
  })

  it('counts contexts for maxConcurrent, and not the open connection', async () => {
    const { client, server, socket } = await startSpeech(speaking(), { maxConcurrent: 1 })
    await socket.opened()
    const first = socket.context(settings)
    const second = socket.context(settings)
    second.write('Two.')
    second.end()
    await vi.waitFor(() => expect(server.sockets[0]!.messages).toHaveLength(1))
    first.end()
    await read(first)
    expect((await second.collect()).audio).toHaveLength(16)
    const other = client.speechSocket()
    await other.opened()
  })
})
