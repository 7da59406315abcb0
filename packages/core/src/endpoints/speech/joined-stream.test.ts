import type { ServerResponse } from 'node:http'
import { audioLine, startTestServer, type TestServer } from '@parlando/test-support/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../../client.ts'
import { type JoinedStream, joinStreams, maxWaitingBytes } from './joined-stream.ts'
import type { SpeechChunk } from './stream.ts'

type Answers = Record<string, (response: ServerResponse) => void>

/** Joins one stream for each text, which the server answers as told. */
async function joined(answers: Answers, ahead?: number, signal?: AbortSignal) {
  const running = new Set<string>()
  const server: TestServer = await startTestServer((response) => {
    const { text } = server.requests.at(-1)!.body as { text: string }
    running.add(text)
    response.once('close', () => running.delete(text))
    return answers[text]!(response)
  })
  const client = createClient({ baseUrl: server.baseUrl, retries: 0 })
  onTestFinished(() => client.close())
  const starts = Object.keys(answers).map((text) => (left: AbortSignal) => {
    const audioConfig = { audioEncoding: 'PCM' } as const
    const request = { text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }
    const either = signal ? AbortSignal.any([left, signal]) : left
    return client.synthesizeStream(request, { signal: either })
  })
  const asked = () => server.requests.map(({ body }) => (body as { text: string }).text)
  // Not sockets: those of answers that have ended are kept for the next call.
  return { running, asked, stream: joinStreams<SpeechChunk>(starts, ahead) }
}

async function collect(stream: JoinedStream<SpeechChunk>, heard: string[] = []) {
  for await (const { audio } of stream) heard.push(Buffer.from(audio).toString())
  return heard.join('')
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

async function settled(read: () => number): Promise<number> {
  let before = -1
  while (read() !== before) {
    before = read()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return before
}

describe('joinStreams', () => {
  it.each([0, 1, 2, 9])('delivers the pieces in order with %s ahead', async (ahead) => {
    const slow = (response: ServerResponse) => {
      response.write(line('aa'))
      setTimeout(() => response.end(line('bb')), 50)
    }
    const { stream, asked } = await joined({ one: slow, two: ends('cc'), three: ends('dd') }, ahead)
    expect(await collect(stream)).toBe('aabbccdd')
    expect(asked().toSorted()).toEqual(['one', 'three', 'two'])
  })

  it('gives nothing for no pieces', async () => {
    expect(await collect(joinStreams<SpeechChunk>([]))).toBe('')
  })

  it('asks for the next piece when one has its first audio, and for no more', async () => {
    const { stream, asked } = await joined({ one: staysOpen('aa'), two: ends('bb'), three: never })
    const chunks = stream[Symbol.asyncIterator]()
    expect(await settled(() => asked().length)).toBe(0)
    await chunks.next()
    const waiting = chunks.next()
    await vi.waitFor(() => expect(asked()).toEqual(['one', 'two']))
    expect(await settled(() => asked().length)).toBe(2)
    await chunks.return!()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it('tells usage as the sum of the pieces, and how long the first audio took', async () => {
    const counting = (counts: number[]) => (response: ServerResponse) => {
      const usageOf = (count: number) => ({ processedCharactersCount: count, modelId: 'svc-tts-2' })
      response.end(counts.map((count) => line('aa', { usage: usageOf(count) })).join(''))
    }
    const { stream } = await joined({
      one: counting([5, 20, 0]),
      two: ends('bb'),
      three: counting([7]),
    })
    expect([stream.usage, stream.firstAudioMs]).toEqual([undefined, undefined])
    const iterator = stream[Symbol.asyncIterator]()
    await iterator.next()
    const first = stream.firstAudioMs
    expect(first).toBeGreaterThan(0)
    while (!(await iterator.next()).done);
    expect(stream.usage).toEqual({ processedCharactersCount: 27, modelId: 'svc-tts-2' })
    expect(stream.firstAudioMs).toBe(first)
  })

  it('can be consumed once and says so', async () => {
    const { stream } = await joined({ one: ends('aa') })
    await collect(stream)
    await expect(collect(stream)).rejects.toThrow('consumed once')
  })

  it('stops reading a piece ahead at its limit, so that the service is slowed down', async () => {
    const sent = { bytes: 0 }
    const endless = (response: ServerResponse) => {
      const text = audioLine(Buffer.alloc(48_000))
      const more = () => {
        if (response.destroyed) return
        let hasRoom = true
        while (hasRoom) {
          hasRoom = response.write(text)
          sent.bytes += text.length
        }
        response.once('drain', more)
      }
      more()
    }
    const { stream, running } = await joined({ one: staysOpen('aa'), two: endless })
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    await vi.waitFor(() => expect(sent.bytes).toBeGreaterThan(maxWaitingBytes))
    // Base64, 16 chunks that wait in the stream itself, and what two sockets hold.
    expect(await settled(() => sent.bytes)).toBeLessThan(16 * maxWaitingBytes)
    await chunks.return!()
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })
})

describe('joinStreams, when it ends early', () => {
  it('closes the connections of all pieces when the loop is left', async () => {
    const { stream, running, asked } = await joined(
      { one: staysOpen('aa'), two: staysOpen('bb'), three: never, four: never },
      2,
    )
    for await (const _ of stream) {
      await vi.waitFor(() => expect(asked().length).toBe(3))
      break
    }
    await vi.waitFor(() => expect([...running]).toEqual([]))
    expect(asked().length).toBe(3)
  })

  it('throws the error of a piece after the audio before it, and leaves nothing open', async () => {
    const slow = (response: ServerResponse) => {
      response.write(line('aa'))
      setTimeout(() => response.end(line('bb')), 200)
    }
    const answers = { one: slow, two: fails, three: staysOpen('cc'), four: never }
    const { stream, running, asked } = await joined(answers, 2)
    const heard: string[] = []
    await expect(collect(stream, heard)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(heard).toEqual(['aa', 'bb'])
    expect(asked()).not.toContain('four')
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })

  it('ends the pieces after one that fails at once', async () => {
    const { stream, running, asked } = await joined(
      { one: staysOpen('aa'), two: fails, three: never },
      2,
    )
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    await vi.waitFor(() => expect(asked()).toContain('two'))
    await vi.waitFor(() => expect([...running]).toEqual(['one']))
    await chunks.return!()
  })

  it('throws the error of the piece that is being heard and ends those ahead', async () => {
    const breaks = (response: ServerResponse) => {
      response.write(line('aa'))
      setTimeout(() => response.destroy(), 100)
    }
    const { stream, running } = await joined({ one: breaks, two: staysOpen('bb') })
    await expect(collect(stream)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })

  it('passes an abort of the caller through untouched', async () => {
    const controller = new AbortController()
    const answers = { one: staysOpen('aa'), two: staysOpen('bb') }
    const { stream, running } = await joined(answers, 1, controller.signal)
    const reason = new Error('enough')
    const listening = (async () => {
      for await (const _ of stream) controller.abort(reason)
    })()
    await expect(listening).rejects.toBe(reason)
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })

  it('throws what a piece throws when it is started, in its turn', async () => {
    const failure = new Error('no such piece')
    const piece = { usage: undefined, firstAudioMs: 1 }
    const good = () => ({
      ...piece,
      async *[Symbol.asyncIterator]() {
        yield { audio: Buffer.from('aa') }
        yield { audio: Buffer.from('bb') }
      },
    })
    const bad = () => {
      throw failure
    }
    const heard: string[] = []
    await expect(collect(joinStreams<SpeechChunk>([good, bad, good]), heard)).rejects.toBe(failure)
    expect(heard).toEqual(['aa', 'bb'])
  })

  it('ends well whenever it is left', async () => {
    const pieces = { one: ends('aa'), two: staysOpen('bb'), three: fails }
    for (let wait = 0; wait < 20; wait++) {
      const { stream, running } = await joined(pieces, 2)
      const chunks = stream[Symbol.asyncIterator]()
      const reading = chunks.next().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, wait))
      await chunks.return!()
      await reading
      await vi.waitFor(() => expect([...running]).toEqual([]))
    }
  })
})
