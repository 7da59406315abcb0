import { once } from 'node:events'
import { connect } from 'node:net'
import { type Client, createClient } from '@parlando/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceUnderLoad, startServiceUnderLoad } from './service.ts'

const speech = { text: 'The laundry is done.', voiceId: 'Clara', modelId: 'svc-tts-2' }
const path = '/tts/v1/voice:stream'

let service: ServiceUnderLoad
let client: Client
let expectedAudio: Buffer
beforeAll(async () => {
  service = await startServiceUnderLoad()
  client = createClient({ baseUrl: service.baseUrl })
  expectedAudio = Buffer.from((await client.synthesize(speech)).audio)
})
afterAll(async () => {
  await client.close()
  await service.close()
})

/** The service runs, speaks as before, and has released all resources of earlier requests. */
afterEach(async () => {
  expect(service.isRunning).toBe(true)
  expect(Buffer.from((await client.synthesize(speech)).audio).equals(expectedAudio)).toBe(true)
  // Idle connections close after five seconds.
  const connections = async () => (await service.resources()).connections
  await expect.poll(connections, { timeout: 10_000 }).toBeLessThan(4)
})

function ask(body: string): Promise<Response> {
  return fetch(service.baseUrl + path, { method: 'POST', body, headers: { connection: 'close' } })
}

describe('the service', () => {
  it.each([
    ['control characters', '\u0000\ufffd}{'.repeat(1000)],
    ['an empty body', ''],
    ['a number', '7'],
    ['an array of arrays', '['.repeat(100_000)],
    ['deep JSON', `${'{"text":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['deep JSON in a field', `{"text":"a","audioConfig":${'['.repeat(5e4)}${']'.repeat(5e4)}}`],
    ['wrong types', JSON.stringify({ ...speech, text: [], voiceId: {}, audioConfig: 'MP3' })],
    ['names that every object inherits', '{"__proto__":{"text":"a"},"constructor":1}'],
  ])('rejects %s', async (_what, body) => {
    const response = await ask(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 3, details: [] })
  })

  it.each(['word '.repeat(2_000_000), 'a'.repeat(10_000_000)])(
    'rejects 10 MB before it has received all of them',
    async (text) => {
      expect((await ask(JSON.stringify({ ...speech, text }))).status).toBe(413)
    },
  )

  it('rejects 10 MB by their Content-Length, before the body arrives', async () => {
    const { hostname, port } = new URL(service.baseUrl)
    const sender = connect(Number(port), hostname)
    sender.write(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10000000\r\n\r\n{"text":"`,
    )
    const [response] = await once(sender, 'data')
    sender.destroy()
    expect(String(response)).toMatch(/^HTTP\/1\.1 413 /)
  }, 10_000)

  it('serves others during an endless request, and releases one that disconnects', async () => {
    const { hostname, port } = new URL(service.baseUrl)
    const senders = Array.from({ length: 20 }, () => connect(Number(port), hostname))
    for (const sender of senders) {
      sender.write(
        `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\n{"text":`,
      )
    }
    expect(Buffer.from((await client.synthesize(speech)).audio).equals(expectedAudio)).toBe(true)
    for (const sender of senders) sender.destroy()
  })

  it('pauses for a client that does not read, and serves others', async () => {
    const { hostname, port } = new URL(service.baseUrl)
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 48_000 }
    const text = 'This goes on and on. '.repeat(4000)
    const body = JSON.stringify({ ...speech, text, audioConfig })
    const reader = connect(Number(port), hostname)
    reader.pause()
    reader.write(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await expect.poll(() => figure('parlando_running_phrases'), { timeout: 5000 }).toBe(1)
    // The whole audio would be half a gigabyte and take a minute.
    await expect.poll(() => figure('parlando_running_phrases'), { timeout: 15_000 }).toBe(0)
    expect(await figure('parlando_waiting_phrases')).toBe(0)
    expect(Buffer.from((await client.synthesize(speech)).audio).equals(expectedAudio)).toBe(true)
    reader.destroy()
  })

  it('continues to speak when all its threads are killed', { timeout: 60_000 }, async () => {
    const request = {
      ...speech,
      text: 'This sentence is spoken while threads are killed. '.repeat(10),
    }
    const expected = await readSpeech(request)
    const { threads } = await service.resources()
    let onAudio = () => {}
    const first = new Promise<void>((resolve) => (onAudio = resolve))
    const streams = [1, 2, 3].map(() => readSpeech(request, onAudio))
    await first
    await service.killThreads()
    for (const received of await Promise.all(streams)) expect(received.equals(expected)).toBe(true)
    expect(await figure('parlando_engine_threads_replaced_total')).toBeGreaterThan(0)
    await expect.poll(async () => (await service.resources()).threads).toBeLessThanOrEqual(threads)
  })

  it('releases everything when fifty listeners disconnect early', async () => {
    const text = 'This sentence goes on and on. '.repeat(1000)
    const controller = new AbortController()
    let onAudio = () => {}
    const first = new Promise<void>((resolve) => (onAudio = resolve))
    const streams = Array.from({ length: 50 }, () =>
      client
        .synthesizeStream({ ...speech, text }, { signal: controller.signal })
        .consume(() => onAudio())
        .catch(() => {}),
    )
    await first
    controller.abort()
    await Promise.all(streams)
  })
})

/** A metric of the service for its only engine. */
async function figure(name: string): Promise<number> {
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text()
  return Number(new RegExp(`^${name}{.*} (\\d+)$`, 'm').exec(metrics)?.[1])
}

async function readSpeech(request: typeof speech, onAudio = () => {}): Promise<Buffer> {
  const received: Uint8Array[] = []
  for await (const { audio } of client.synthesizeStream(request)) {
    received.push(audio)
    onAudio()
  }
  return Buffer.concat(received)
}
