import type { ServerResponse } from 'node:http'
import { audioLine, startTestServer, type TestServer } from '@parlando/test-support/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCall } from '../../http/call.ts'
import { resolveOptions } from '../../http/options.ts'
import { createTransport } from '../../http/transport.ts'
import type { Sink, Source } from '../../streams/sink.ts'
import { type JoinOptions, joinPieces, maxWaitingBytes } from './join-pieces.ts'
import type { SpeechChunk } from './source.ts'
import { type SpeechStream, streamUtterance } from './synthesize-stream.ts'

/** A source that does what the test says, and what has happened to it. */
interface ManualPiece {
  sink: Sink<SpeechChunk>
  isPaused: boolean
  isClosed: boolean
}

/** Joins sources that the test controls. `events` holds the delivered audio, the end or the error. */
function joinManually(count: number, options?: JoinOptions, onText = (_text: string) => {}) {
  const pieces: ManualPiece[] = []
  const events: unknown[] = []
  const source: Source<SpeechChunk> = (sink) => {
    const piece: ManualPiece = { sink, isPaused: false, isClosed: false }
    pieces.push(piece)
    return {
      pause: () => Object.assign(piece, { isPaused: true }),
      resume: () => Object.assign(piece, { isPaused: false }),
      close: () => Object.assign(piece, { isClosed: true }),
    }
  }
  const sink: Sink<SpeechChunk> = {
    next({ audio }) {
      const text = Buffer.from(audio).toString()
      onText(text)
      events.push(text)
    },
    end: () => void events.push('end'),
    error: (error) => void events.push(error),
  }
  const control = joinPieces<SpeechChunk>(Array(count).fill(source), options)(sink)
  const say = (index: number, text: string) =>
    pieces[index]!.sink.next({ audio: Buffer.from(text) })
  return { pieces, events, control, say }
}

const failure = new Error('no such piece')

describe('joinPieces', () => {
  it('starts a piece when the piece before it has its first chunk, and no further piece', () => {
    const { pieces, say } = joinManually(4)
    expect(pieces.length).toBe(1)
    say(0, 'aa')
    expect(pieces.length).toBe(2)
    say(0, 'bb')
    say(1, 'cc')
    expect(pieces.length).toBe(2)
  })

  it('starts no piece that is not needed while its sink is paused', () => {
    const { pieces, control, say, events } = joinManually(3)
    control.pause()
    say(0, 'aa')
    expect([pieces.length, events]).toEqual([1, []])
    control.resume()
    expect([pieces.length, events]).toEqual([2, ['aa']])
  })

  it('delivers chunks that arrive early in their turn, and reports each next piece before them', () => {
    const onNextPiece = () => void joined.events.push('next')
    const joined = joinManually(3, { ahead: 2, onNextPiece })
    joined.say(0, 'aa')
    joined.say(2, 'dd')
    joined.say(1, 'cc')
    joined.pieces[2]!.sink.end()
    joined.pieces[1]!.sink.end()
    joined.say(0, 'bb')
    joined.pieces[0]!.sink.end()
    expect(joined.events).toEqual(['aa', 'bb', 'next', 'cc', 'next', 'dd', 'end'])
  })

  it('ends at once if there are no pieces', () => {
    expect(joinManually(0).events).toEqual(['end'])
  })

  it('pauses a piece at its limit and resumes it when there is room', () => {
    const { pieces, control, say } = joinManually(2)
    say(0, 'aa')
    say(1, 'b'.repeat(maxWaitingBytes - 1000))
    expect(pieces[1]).toMatchObject({ isPaused: false })
    say(1, 'b'.repeat(1000))
    expect(pieces[1]).toMatchObject({ isPaused: true })
    pieces[0]!.sink.end()
    expect(pieces[1]).toMatchObject({ isPaused: false })

    control.pause()
    say(1, 'b'.repeat(maxWaitingBytes))
    expect(pieces[1]).toMatchObject({ isPaused: true })
    control.resume()
    expect(pieces[1]).toMatchObject({ isPaused: false })
  })

  it('counts chunks without audio towards the limit', () => {
    const { pieces, say } = joinManually(2)
    say(0, 'aa')
    for (let count = 0; count < maxWaitingBytes / 256; count++) say(1, '')
    expect(pieces[1]).toMatchObject({ isPaused: true })
  })

  it('closes the pieces after one that fails at once, and delivers its error in its turn', () => {
    const { pieces, events, say } = joinManually(4, { ahead: 2 })
    say(0, 'aa')
    say(1, 'bb')
    pieces[1]!.sink.error(failure)
    expect(pieces.map(({ isClosed }) => isClosed)).toEqual([false, false, true])
    say(0, 'cc')
    pieces[0]!.sink.end()
    expect(events).toEqual(['aa', 'cc', 'bb', failure])
    expect(pieces.length).toBe(3)
    expect(pieces.every(({ isClosed }) => isClosed)).toBe(true)
  })

  it('delivers an error that a source throws when it is started in its turn', () => {
    const sinks: Sink<SpeechChunk>[] = []
    const good: Source<SpeechChunk> = (sink) => {
      sinks.push(sink)
      return { pause() {}, resume() {}, close() {} }
    }
    const bad: Source<SpeechChunk> = () => {
      throw failure
    }
    const events: unknown[] = []
    joinPieces([good, bad, good])({
      next: ({ audio }) => void events.push(Buffer.from(audio).toString()),
      end: () => void events.push('end'),
      error: (error) => void events.push(error),
    })
    sinks[0]!.next({ audio: Buffer.from('aa') })
    sinks[0]!.next({ audio: Buffer.from('bb') })
    sinks[0]!.end()
    expect(events).toEqual(['aa', 'bb', failure])
    expect(sinks.length).toBe(1)
  })

  it('closes every piece and reports the error when its sink throws', () => {
    const rejectSecond = (text: string) => {
      if (text === 'bb') throw failure
    }
    const { pieces, events, control, say } = joinManually(3, {}, rejectSecond)
    say(0, 'aa')
    control.pause()
    say(1, 'bb')
    pieces[0]!.sink.end()
    control.resume()
    expect(events).toEqual(['aa', failure])
    expect(pieces.every(({ isClosed }) => isClosed)).toBe(true)
  })

  it('closes every piece when it is closed', () => {
    const { pieces, events, control, say } = joinManually(3)
    say(0, 'aa')
    control.close()
    expect(pieces.map(({ isClosed }) => isClosed)).toEqual([true, true])
    control.resume()
    expect(events).toEqual(['aa'])
  })
})

type Answers = Record<string, (response: ServerResponse) => void>

/** An utterance with one piece for each text, to which the server responds as the test says. */
async function utterance(answers: Answers, ahead?: number, signal?: AbortSignal) {
  const running = new Set<string>()
  const server: TestServer = await startTestServer((response) => {
    const { text } = server.requests.at(-1)!.body as { text: string }
    running.add(text)
    response.once('close', () => running.delete(text))
    return answers[text]!(response)
  })
  const options = resolveOptions({ baseUrl: server.baseUrl, maxRetries: 0 })
  const transport = createTransport(options)
  onTestFinished(() => transport.close())
  const audioConfig = { audioEncoding: 'PCM' } as const
  const stream = streamUtterance(
    { transport, options },
    {
      pieces: Object.keys(answers).map((text) => {
        return { text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }
      }),
      format: { encoding: 'PCM', mediaType: 'audio/pcm', sampleRateHertz: 48_000 },
    },
    createCall(options, { signal }),
    ahead,
  )
  const requested = () => server.requests.map(({ body }) => (body as { text: string }).text)
  // Not the open sockets: those of complete responses are kept for the next request.
  return { running, requested, stream }
}

async function textOf(stream: SpeechStream, received: string[] = []) {
  for await (const { audio } of stream) received.push(Buffer.from(audio).toString())
  return received.join('')
}

/** Audio is whole 16-bit samples. */
function line(text: string, more: object = {}): string {
  return audioLine(Buffer.from(text), more)
}

const ends = (text: string) => (response: ServerResponse) => void response.end(line(text))
const staysOpen = (text: string) => (response: ServerResponse) => void response.write(line(text))
const fails = (response: ServerResponse) =>
  void response.end('{"error":{"code":14,"message":"worker lost"}}\n')
const never = () => {}

describe('an utterance of several pieces', () => {
  it.each([0, 1, 2, 9])('is delivered in order with %s pieces ahead', async (ahead) => {
    const slow = (response: ServerResponse) => {
      response.write(line('aa'))
      setTimeout(() => response.end(line('bb')), 20)
    }
    const answers = { one: slow, two: ends('cc'), three: ends('dd') }
    const { stream, requested } = await utterance(answers, ahead)
    expect(await textOf(stream)).toBe('aabbccdd')
    expect(requested().toSorted()).toEqual(['one', 'three', 'two'])
  })

  it('requests nothing before it is read, and a pending read ends when the reader leaves', async () => {
    const { stream, requested } = await utterance({
      one: staysOpen('aa'),
      two: ends('bb'),
      three: never,
    })
    const chunks = stream[Symbol.asyncIterator]()
    expect(requested()).toEqual([])
    await chunks.next()
    const waiting = chunks.next()
    await vi.waitFor(() => expect(requested()).toEqual(['one', 'two']))
    await chunks.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(requested()).toEqual(['one', 'two'])
  })

  it('has the sum of its pieces as usage, and the first audio of the first piece', async () => {
    const counting = (counts: number[]) => (response: ServerResponse) => {
      const usageOf = (count: number) => ({ processedCharactersCount: count, modelId: 'svc-tts-2' })
      response.end(counts.map((count) => line('aa', { usage: usageOf(count) })).join(''))
    }
    const { stream } = await utterance({
      one: counting([5, 20, 0]),
      two: ends('bb'),
      three: counting([7]),
    })
    expect([stream.usage, stream.firstAudioMs]).toEqual([undefined, undefined])
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    const first = stream.firstAudioMs
    expect(first).toBeGreaterThan(0)
    while (!(await chunks.next()).done);
    expect(stream.usage).toEqual({ processedCharactersCount: 27, modelId: 'svc-tts-2' })
    expect(stream.firstAudioMs).toBe(first)
  })

  it('can be consumed once', async () => {
    const { stream } = await utterance({ one: ends('aa'), two: ends('bb') })
    await textOf(stream)
    await expect(textOf(stream)).rejects.toThrow('consumed once')
  })

  it('stops reading a piece ahead at its limit, so that the service is slowed down', async () => {
    const sent = { bytes: 0, isBlocked: false }
    const endless = (response: ServerResponse) => {
      const text = audioLine(Buffer.alloc(48_000))
      const more = () => {
        sent.isBlocked = false
        let hasRoom = !response.destroyed
        while (hasRoom) {
          // Node 20 reports a full buffer after every line of this size.
          sent.bytes += text.length
          hasRoom = response.write(text)
        }
        sent.isBlocked = true
        response.once('drain', more)
      }
      more()
    }
    const { stream, running } = await utterance({ one: staysOpen('aa'), two: endless })
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    await vi.waitFor(() => expect(sent.bytes).toBeGreaterThan(maxWaitingBytes))
    // The connection has to stay blocked: it holds the limit in base64 and the buffers of two sockets.
    let before = -1
    while (sent.bytes !== before) {
      before = sent.bytes
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(sent).toMatchObject({ isBlocked: true })
    expect(sent.bytes).toBeLessThan(16 * maxWaitingBytes)
    await chunks.return?.()
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })
})

describe('an utterance of several pieces that ends early', () => {
  it('closes the connections of all pieces when the loop is left', async () => {
    const { stream, running, requested } = await utterance(
      { one: staysOpen('aa'), two: staysOpen('bb'), three: never, four: never },
      2,
    )
    for await (const _ of stream) {
      await vi.waitFor(() => expect(requested().length).toBe(3))
      break
    }
    await vi.waitFor(() => expect([...running]).toEqual([]))
    expect(requested().length).toBe(3)
  })

  it('throws the error of a piece after the audio before it, and leaves nothing open', async () => {
    const slow = (response: ServerResponse) => {
      response.write(line('aa'))
      setTimeout(() => response.end(line('bb')), 100)
    }
    const answers = { one: slow, two: fails, three: staysOpen('cc'), four: never }
    const { stream, running, requested } = await utterance(answers, 2)
    const received: string[] = []
    await expect(textOf(stream, received)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(received).toEqual(['aa', 'bb'])
    expect(requested()).not.toContain('four')
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })

  it('closes the pieces after one that fails at once', async () => {
    const { stream, running, requested } = await utterance(
      { one: staysOpen('aa'), two: fails, three: never },
      2,
    )
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    await vi.waitFor(() => expect(requested()).toContain('two'))
    await vi.waitFor(() => expect([...running]).toEqual(['one']))
    await chunks.return?.()
  })

  it('throws the error of the current piece and closes those ahead', async () => {
    const breaks = (response: ServerResponse) => {
      response.write(line('aa'))
      setTimeout(() => response.destroy(), 50)
    }
    const { stream, running } = await utterance({ one: breaks, two: staysOpen('bb') })
    await expect(textOf(stream)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })

  it('throws the reason of an abort unchanged', async () => {
    const controller = new AbortController()
    const answers = { one: staysOpen('aa'), two: staysOpen('bb') }
    const { stream, running } = await utterance(answers, 1, controller.signal)
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const _ of stream) controller.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })

  it('closes every connection whenever the reader leaves', async () => {
    const pieces = { one: ends('aa'), two: staysOpen('bb'), three: fails }
    for (let waitMs = 0; waitMs < 20; waitMs++) {
      const { stream, running } = await utterance(pieces, 2)
      const chunks = stream[Symbol.asyncIterator]()
      const reading = chunks.next().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      await chunks.return?.()
      await reading
      await vi.waitFor(() => expect([...running]).toEqual([]))
    }
  })
})
