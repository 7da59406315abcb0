import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import {
  audioLine,
  startTestServer,
  type TestServer,
} from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCall, resolveOptions } from '../../http/client-options.ts'
import { createTransport } from '../../http/transport.ts'
import { Pronunciations } from '../../text/pronunciations.ts'
import { maxWaitingBytes } from './join-pieces.ts'
import { type SpeechStream, streamUtterance } from './synthesize-stream.ts'

type Handlers = Record<string, (response: ServerResponse) => void>

/** An utterance with one piece for each text. The handler of the text writes the response. */
async function utterance(handlers: Handlers, ahead?: number, signal?: AbortSignal) {
  const running = new Set<string>()
  const server: TestServer = await startTestServer((response) => {
    const { text } = server.requests.at(-1)!.body as { text: string }
    running.add(text)
    response.once('close', () => running.delete(text))
    return handlers[text]!(response)
  })
  const options = resolveOptions({ baseUrl: server.baseUrl, maxRetries: 0 })
  const transport = createTransport(options)
  onTestFinished(() => transport.close())
  const audioConfig = { audioEncoding: 'PCM' } as const
  const stream = streamUtterance(
    { transport, options, pronunciations: new Pronunciations([]), spare: {} },
    {
      pieces: Object.keys(handlers).map((text) => {
        return { text, voiceId: 'Clara', modelId: 'svc-tts-2', audioConfig }
      }),
      isSplit: true,
      format: { encoding: 'PCM', mediaType: 'audio/pcm', sampleRateHertz: 48_000 },
      words: undefined,
    },
    createCall(options, { signal }, 'Speech'),
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

/** A line of a speech stream. Its audio must consist of whole 16-bit samples, so the text has an even length. */
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
      void setTimeout(20).then(() => response.end(line('bb')))
    }
    const handlers = { one: slow, two: ends('cc'), three: ends('dd') }
    const { stream, requested } = await utterance(handlers, ahead)
    expect(await textOf(stream)).toBe('aabbccdd')
    expect(requested().toSorted()).toEqual(['one', 'three', 'two'])
  })

  it('requests nothing before it is read, and a pending read ends when the reader stops', async () => {
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

  it('stops reading a piece ahead at its limit, which slows the service down', async () => {
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
      await setTimeout(200)
    }
    expect(sent).toMatchObject({ isBlocked: true })
    expect(sent.bytes).toBeLessThan(16 * maxWaitingBytes)
    await chunks.return?.()
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })
})

describe('an utterance of several pieces that ends early', () => {
  it('closes the connections of all pieces when the loop ends early', async () => {
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

  it('throws the error of a piece after the audio before it, and closes every connection', async () => {
    let finishFirst = () => {}
    const slow = (response: ServerResponse) => {
      response.write(line('aa'))
      finishFirst = () => void response.end(line('bb'))
    }
    const failsFirst = (response: ServerResponse) => {
      // The client reads the error before the end of the first piece.
      response.once('close', () => void setTimeout(20).then(finishFirst))
      fails(response)
    }
    const handlers = { one: slow, two: failsFirst, three: staysOpen('cc'), four: never }
    const { stream, running, requested } = await utterance(handlers, 2)
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
    let breakFirst = () => {}
    const breaks = (response: ServerResponse) => {
      response.write(line('aa'))
      breakFirst = () => void response.destroy()
    }
    const breaksFirst = (response: ServerResponse) => {
      response.write(line('bb'), () => breakFirst())
    }
    const { stream, running } = await utterance({ one: breaks, two: breaksFirst })
    await expect(textOf(stream)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })

  it('throws the reason of an abort unchanged', async () => {
    const controller = new AbortController()
    const handlers = { one: staysOpen('aa'), two: staysOpen('bb') }
    const { stream, running } = await utterance(handlers, 1, controller.signal)
    const reason = new Error('enough')
    const reading = (async () => {
      for await (const _ of stream) controller.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
    await vi.waitFor(() => expect([...running]).toEqual([]))
  })

  it('closes every connection whenever the reader stops', async () => {
    const pieces = { one: ends('aa'), two: staysOpen('bb'), three: fails }
    const stopAfter = async (waitMs: number) => {
      const { stream, running } = await utterance(pieces, 2)
      const chunks = stream[Symbol.asyncIterator]()
      const reading = chunks.next().catch(() => undefined)
      await setTimeout(waitMs)
      await chunks.return?.()
      await reading
      await vi.waitFor(() => expect([...running]).toEqual([]))
    }
    await Promise.all(Array.from({ length: 20 }, (_, waitMs) => stopAfter(waitMs)))
  })
})
