import type { ServerResponse } from 'node:http'
import {
  chatEvent,
  chatRequest,
  dataEvent,
  doneEvent,
  stopEvent,
} from '@parlando/test-support/servers/chat-events'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { type Client, createClient } from '../../client.ts'
import type { RetryInfo } from '../../http/client-options.ts'

type Response = (response: ServerResponse) => void

interface Kind {
  stream(client: Client): AsyncIterable<unknown>
  /** The bytes of one item, of an error, and of the end. */
  item: string
  error?: string
  end: string
}

const speech = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }
const bytes = { model: 'svc-tts-2', input: 'Hello', voice: 'Clara' }
const later = { error: { code: 14, message: 'later' } }

const kinds: Record<string, Kind> = {
  speech: {
    stream: (client) => client.synthesizeStream(speech),
    item: audioLine(Buffer.from('audio')),
    error: `${JSON.stringify(later)}\n`,
    end: '',
  },
  chat: {
    stream: (client) => client.chatStream(chatRequest),
    item: chatEvent({ reasoning: 'Hm.' }),
    error: dataEvent(later),
    end: stopEvent + doneEvent,
  },
  bytes: {
    stream: (client) => client.synthesizeOpenAi(bytes),
    item: 'ID3',
    end: '',
  },
}

const whole =
  (body: string): Response =>
  (response) =>
    void response.end(body)
const busy: Response = (response) => void response.writeHead(429, { 'retry-after': '0' }).end()
const none: Response = (response) => void response.destroy()
const cutAfter =
  (body: string): Response =>
  (response) => {
    response.flushHeaders()
    response.write(body)
    setTimeout(() => response.destroy(), 20)
  }

/** Reads from a server that sends one response after the other. @returns the items, the retries and the server. */
async function read(kind: Kind, responses: Response[]) {
  const server = await startTestServer((response) => responses.shift()?.(response))
  const retries: RetryInfo[] = []
  const onRetry = (info: RetryInfo) => void retries.push(info)
  const client = createClient({
    baseUrl: server.baseUrl,
    onRetry,
    maxConcurrent: 1,
    maxRetryDelayMs: 1,
  })
  const items: unknown[] = []
  const reading = (async () => {
    for await (const item of kind.stream(client)) items.push(item)
  })()
  return { server, retries, items, reading }
}

describe.each(Object.entries(kinds))('a stream of %s', (_name, kind) => {
  const failures: Record<string, Response> = {
    'there is no response': none,
    'the service is busy': busy,
    'the response breaks off': cutAfter(''),
    ...(kind.error && { 'the response is an error': whole(kind.error) }),
  }
  it.each(Object.keys(failures))(
    'is requested again when %s before the first item',
    async (name) => {
      const good = whole(kind.item + kind.end)
      const { server, retries, items, reading } = await read(kind, [failures[name]!, good])
      await reading
      expect(items).toHaveLength(1)
      expect(retries).toMatchObject([{ attempt: 1 }])
      const [first, second] = server.requests.map(({ headers }) => headers['x-request-id'])
      expect(second).not.toBe(first)
    },
  )

  const laterFailures: Record<string, Response> = {
    'the response breaks off': cutAfter(kind.item),
    ...(kind.error && { 'an error arrives': whole(kind.item + kind.error) }),
  }
  it.each(Object.keys(laterFailures))(
    'is never requested again when %s after the first item',
    async (name) => {
      const { server, retries, items, reading } = await read(kind, [laterFailures[name]!])
      await expect(reading).rejects.toMatchObject({ retryable: true })
      expect([items.length, retries.length, server.requests.length]).toEqual([1, 0, 1])
    },
  )

  it('is not requested again after a permanent error', async () => {
    const reject: Response = (response) => void response.writeHead(401).end()
    const { server, retries, reading } = await read(kind, [reject])
    await expect(reading).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect([retries.length, server.requests.length]).toEqual([0, 1])
  })
})

describe('a retried chat', () => {
  it('keeps nothing from the failed response', async () => {
    const first = [
      dataEvent({
        model: 'small-1',
        choices: [],
        usage: { prompt_tokens: 5, completion_tokens: 7 },
      }),
      chatEvent({ content: '' }, { finish_reason: 'length' }),
      kinds['chat']!.error,
    ]
    const responses = [whole(first.join('')), whole(chatEvent({ content: 'No.' }) + doneEvent)]
    const server = await startTestServer((response) => responses.shift()?.(response))
    const stream = createClient({ baseUrl: server.baseUrl, maxRetryDelayMs: 1 }).chatStream(
      chatRequest,
    )
    for await (const _ of stream);
    expect(stream).toMatchObject({
      content: 'No.',
      model: undefined,
      usage: undefined,
      finishReason: undefined,
      requestId: server.requests[1]?.headers['x-request-id'],
    })
  })
})

describe('speech that breaks off', () => {
  const wordAlignment = { words: ['Hi'], wordStartTimeSeconds: [0], wordEndTimeSeconds: [0.4] }
  const pcm: Kind = {
    ...kinds['speech']!,
    stream: (client) =>
      client.synthesizeStream({ ...speech, audioConfig: { audioEncoding: 'PCM' } }),
  }
  it.each([
    ['only timestamps', audioLine(Buffer.alloc(0), { timestampInfo: { wordAlignment } })],
    ['half a sample', audioLine(Buffer.of(1))],
  ])('is not requested again after %s', async (_what, line) => {
    const { server, retries, reading } = await read(pcm, [cutAfter(line), whole(pcm.item)])
    await expect(reading).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    expect([retries.length, server.requests.length]).toEqual([0, 1])
  })
})
