import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { Agent } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Client, createClient } from '../../client.ts'
import { ConnectionError } from '../../errors.ts'

const request = {
  text: 'Hello',
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'PCM' },
} as const
const audio = Buffer.from('01234567')

async function clientOf(body: string) {
  const server = await startTestServer((response) => void response.end(body))
  return createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
}

/** A server that sends audio endlessly, as fast as the client reads it, and counts the bytes. */
async function endlessServer() {
  const sent = { bytes: 0 }
  const line = audioLine(Buffer.alloc(48_000))
  const server = await startTestServer((response) => {
    const more = () => {
      let hasRoom = !response.destroyed
      while (hasRoom) {
        // Node 20 reports a full buffer after every line of this size.
        sent.bytes += line.length
        hasRoom = response.write(line)
      }
      response.once('drain', more)
    }
    more()
  })
  return { server, sent }
}

/** A server that sends more than fills the queue of a stream, and then endless audio at the pace of speech. */
async function speakingServer() {
  const line = audioLine(Buffer.alloc(480))
  return startTestServer((response) => {
    response.write(line.repeat(20))
    const speaking = setInterval(() => response.write(line), 100)
    response.once('close', () => clearInterval(speaking))
  })
}

describe('the callback form of a speech stream', () => {
  it('measures the time to the first audio', async () => {
    const stream = (await clientOf(audioLine(audio) + audioLine(audio))).synthesizeStream(request)
    const chunks: Uint8Array[] = []
    await stream.consume((chunk) => void chunks.push(chunk.audio))
    expect(Buffer.concat(chunks)).toEqual(Buffer.concat([audio, audio]))
    expect(stream.firstAudioMs).toBeGreaterThan(0)
  })

  it('rejects with an error thrown by the callback, and closes the connection', async () => {
    const { server } = await endlessServer()
    const stream = createClient({ baseUrl: server.baseUrl }).synthesizeStream(request)
    const failure = new Error('speaker unplugged')
    const consuming = stream.consume(() => {
      throw failure
    })
    await expect(consuming).rejects.toBe(failure)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('does not retry after an error of the callback, not even a retryable one', async () => {
    const server = await startTestServer((response) => void response.end(audioLine(audio)))
    const failure = new ConnectionError('speaker away', {
      code: 'CONNECTION_LOST',
      retryable: true,
    })
    const stream = createClient({ baseUrl: server.baseUrl }).synthesizeStream(request)
    const consuming = stream.consume(() => {
      throw failure
    })
    await expect(consuming).rejects.toBe(failure)
    expect(server.requests.length).toBe(1)
  })
})

describe('a web stream of speech', () => {
  it('contains the bytes, and closes the connection when it is cancelled', async () => {
    const whole = (await clientOf(audioLine(audio))).synthesizeStream(request)
    const response = new Response(whole.toReadableStream())
    expect(Buffer.from(await response.arrayBuffer())).toEqual(audio)

    const { server } = await endlessServer()
    const endless = createClient({ baseUrl: server.baseUrl }).synthesizeStream(request)
    const reader = endless.toReadableStream().getReader()
    await reader.read()
    await reader.cancel()
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })
})

describe('a speech stream', () => {
  it('delivers timestamps with their audio and after it', async () => {
    const timestampInfo = {
      wordAlignment: {
        words: ['Hello', 'you'],
        wordStartTimeSeconds: [0, 0.4],
        wordEndTimeSeconds: [0.4, 0.7],
      },
    }
    const words = [
      { text: 'Hello', startSeconds: 0, endSeconds: 0.4 },
      { text: 'you', startSeconds: 0.4, endSeconds: 0.7 },
    ]
    const late = `${JSON.stringify({ result: { audioContent: '', timestampInfo } })}\n`
    const client = await clientOf(audioLine(audio, { timestampInfo }) + audioLine(audio) + late)
    const chunks = []
    for await (const chunk of client.synthesizeStream(request)) chunks.push(chunk)
    expect(chunks).toEqual([
      { audio, timestamps: { words, characters: [] } },
      { audio },
      { audio: Buffer.alloc(0), timestamps: { words, characters: [] } },
    ])
  })

  it('slows the service down for a slow reader instead of filling the memory', async () => {
    const { server, sent } = await endlessServer()
    const chunks = createClient({ baseUrl: server.baseUrl }).synthesizeStream(request)
    for await (const _ of chunks) {
      let before = -1
      while (sent.bytes !== before) {
        before = sent.bytes
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      // The queue of 16 chunks and the buffers of the sockets fill up.
      expect(sent.bytes).toBeLessThan(20_000_000)
      break
    }
  })
})

describe('an abort of a speech stream', () => {
  async function abortAfter(client: Client, ms: number): Promise<void> {
    const controller = new AbortController()
    const reason = new Error('enough')
    const timer = setTimeout(() => controller.abort(reason), ms)
    const read = async () => {
      for await (const _ of client.synthesizeStream(request, { signal: controller.signal })) {
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    await expect(read()).rejects.toBe(reason)
    clearTimeout(timer)
  }

  it('drops the chunks that wait in the queue', async () => {
    const { server, sent } = await endlessServer()
    const controller = new AbortController()
    const { signal } = controller
    const client = createClient({ baseUrl: server.baseUrl })
    const chunks = client.synthesizeStream(request, { signal })[Symbol.asyncIterator]()
    await chunks.next()
    // More than the sockets buffer, so chunks wait in the queue.
    await vi.waitFor(() => expect(sent.bytes).toBeGreaterThan(2_000_000))
    controller.abort(new Error('enough'))
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    await expect(chunks.next()).rejects.toBe(signal.reason)
    expect(await chunks.next()).toEqual({ done: true, value: undefined })
  })

  it('leaves no connection open when 200 streams are aborted at random times', async () => {
    const server = await speakingServer()
    // By default, undici keeps the connection of a request that was aborted while it connected for 4 s.
    const dispatcher = new Agent({ keepAliveTimeout: 20 })
    onTestFinished(() => dispatcher.destroy())
    const client = createClient({ baseUrl: server.baseUrl, dispatcher })
    const all = Array.from({ length: 200 }, (_, index) => abortAfter(client, (index * 37) % 200))
    await Promise.all(all)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0), 60_000)
  })
})
