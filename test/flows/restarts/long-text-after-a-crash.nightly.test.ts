import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startNodeRed } from '@parlando/test-support/node-red/process'
import { freePort } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'

const cli = createRequire(import.meta.url).resolve('@parlando/local-service/cli')
const animals = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'gnu', 'hen']
/** No two sentences are the same. */
const chapter = (place: string) =>
  animals
    .flatMap((one) => animals.map((other) => `In the ${place}, the ${one} met the ${other}.`))
    .join(' ')
const book = `# The wood\n${chapter('wood')}\n\n# The lake\n${chapter('lake')}`
/** So long that the test can kill a process amid a chapter. */
const speechMs = 50
/** What a service speaks at a time, and again after it was killed. */
const segmentCharacters = 400
const limit = { timeout: 60_000 }

/** A server that costs money for each text, and notes what it has spoken. */
async function startPaidServer() {
  const texts: string[] = []
  const server = await startTestServer(async (response, request, bytes) => {
    if (request.url !== '/v1/audio/speech') return void response.writeHead(404).end()
    const { input } = JSON.parse(Buffer.from(bytes).toString()) as { input: string }
    texts.push(input)
    await wait(speechMs)
    const samples = new Int16Array(2_400).fill(2_000 + (input.length % 100) * 50)
    response.writeHead(200, { 'content-type': 'audio/pcm' }).end(Buffer.from(samples.buffer))
  })
  const speaksOf = (place: string) =>
    expect.poll(() => texts.filter((text) => text.includes(place)).length > 1, limit).toBe(true)
  return { texts, speaksOf, url: `${server.baseUrl}/v1` }
}

async function startService(upstream: string) {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-long-text-'))
  const port = await freePort()
  const options = {
    port,
    'data-folder': folder,
    'speech-upstream': upstream,
    'speech-upstream-voice': 'alloy',
    'warm-up': false,
  }
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const start = async () => {
    const child = spawn(process.execPath, [cli, ...flags], { stdio: ['ignore', 'pipe', 'ignore'] })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    child.stdout.resume()
    return { child, exited }
  }
  let running = await start()
  const kill = async () => {
    running.child.kill('SIGKILL')
    await running.exited
  }
  onTestFinished(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const { voices } = await (await fetch(`${baseUrl}/voices/v1/voices`)).json()
  const { voiceId } = voices.find(({ voiceId }: { voiceId: string }) => /alloy/i.test(voiceId))
  return {
    baseUrl,
    voiceId,
    async killAndRestart() {
      await kill()
      running = await start()
    },
  }
}

/** Passes requests on to a service, and loses the response to the first submission with each idempotency key. */
async function startLossyProxy(baseUrl: string) {
  const lost = new Set<unknown>()
  const server = await startTestServer(async (response, request, bytes) => {
    const { method = '', url = '' } = request
    const key = request.headers['idempotency-key']
    const passedOn = await fetch(`${baseUrl}${url}`, {
      method,
      ...(bytes.length > 0 && { body: bytes }),
      ...(typeof key === 'string' && { headers: { 'idempotency-key': key } }),
    }).catch(() => undefined)
    // The test has ended.
    if (!passedOn) return void response.destroy()
    if (url.endsWith(':synthesizeAsync') && !lost.has(key)) return void lost.add(key)
    response.writeHead(passedOn.status).end(Buffer.from(await passedOn.arrayBuffer()))
  })
  return { baseUrl: server.baseUrl, lost }
}

function flowOf(baseUrl: string, voice: string): object[] {
  const place = { x: 0, y: 0, z: 'tab' }
  return [
    { id: 'tab', type: 'tab', label: 'Flow' },
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
    {
      ...place,
      id: 'book',
      type: 'inject',
      props: [{ p: 'payload' }, { p: 'topic', vt: 'str' }],
      payload: book,
      payloadType: 'str',
      topic: 'the book',
      wires: [['speak']],
    },
    {
      ...place,
      id: 'speak',
      type: 'parlando-speak',
      service: 'service',
      voice,
      text: 'payload',
      textType: 'msg',
      output: 'whole',
      encoding: 'PCM',
      wires: [['report']],
    },
    {
      ...place,
      id: 'report',
      type: 'function',
      func: `const { topic, payload, chapters } = msg
        return { payload: JSON.stringify({ topic, chapters, sound: payload.toString('base64') }) }`,
      outputs: 1,
      wires: [['messages']],
    },
    // A file, because the editor misses what happens before it is connected again.
    {
      ...place,
      id: 'messages',
      type: 'file',
      filename: 'messages.txt',
      appendNewline: true,
      overwriteFile: 'false',
      wires: [[]],
    },
    {
      ...place,
      id: 'failures',
      type: 'catch',
      scope: null,
      uncaught: false,
      wires: [['failure']],
    },
    {
      ...place,
      id: 'failure',
      type: 'function',
      func: 'return { payload: JSON.stringify(msg.error) }',
      outputs: 1,
      wires: [['messages']],
    },
  ]
}

/** A Node-RED that speaks the book with a service, each in a process of its own. */
async function startBoth(reach = async (baseUrl: string) => baseUrl) {
  const paid = await startPaidServer()
  const service = await startService(paid.url)
  const baseUrl = await reach(service.baseUrl)
  const nodeRed = await startNodeRed(flowOf(baseUrl, service.voiceId))
  onTestFinished(() => nodeRed.close())
  const fileOf = (name: string) => {
    const path = join(nodeRed.folder, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const messages = () =>
    fileOf('messages.txt')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  /** Waits until Node-RED has saved the name of the job of a chapter, counted from 1, and the service speaks it. */
  const isAmid = async (number: number, place: string) => {
    const jobNames = () => JSON.parse(fileOf('parlando/long-texts.json') || '[]')[0]?.jobNames
    await expect.poll(jobNames, limit).toHaveLength(number)
    await paid.speaksOf(place)
  }
  const isForgotten = () => expect.poll(() => fileOf('parlando/long-texts.json'), limit).toBe('[]')
  return { paid, service, nodeRed, messages, isAmid, isForgotten }
}

describe('a long text', { timeout: 300_000 }, () => {
  it('becomes the same sound, once, if Node-RED or the service is killed amid each of its jobs', async () => {
    const undisturbed = await startBoth()
    await undisturbed.nodeRed.inject('book')
    await expect.poll(undisturbed.messages, limit).toHaveLength(1)
    const [whole] = undisturbed.messages()
    expect(whole).toMatchObject({ topic: 'the book', chapters: [{}, {}] })
    const expected = undisturbed.paid.texts
    expect(new Set(expected).size).toBe(expected.length)

    for (const killed of ['nodeRed', 'service'] as const) {
      const { paid, nodeRed, messages, isAmid, isForgotten, ...both } = await startBoth()
      const process = { nodeRed, ...both }[killed]
      await nodeRed.inject('book')
      await isAmid(1, 'wood')
      await process.killAndRestart()
      await isAmid(2, 'lake')
      expect(messages()).toEqual([])
      await process.killAndRestart()
      await expect.poll(messages, limit).toHaveLength(1)
      await isForgotten()
      expect(messages()).toEqual([whole])
      expect(new Set(paid.texts)).toEqual(new Set(expected))
      const paidTwice = paid.texts.length - expected.length
      // A service that is killed has not kept the segment that it was speaking.
      const atMost = killed === 'service' ? (2 * segmentCharacters) / expected[0]!.length : 0
      expect(paidTwice).toBeLessThanOrEqual(atMost)
    }
  })

  it('is paid once if Node-RED is killed while it submits each of its jobs', async () => {
    let lost = new Set<unknown>()
    const { paid, nodeRed, messages, isForgotten } = await startBoth(async (baseUrl) => {
      const proxy = await startLossyProxy(baseUrl)
      lost = proxy.lost
      return proxy.baseUrl
    })
    await nodeRed.inject('book')
    for (const number of [1, 2]) {
      await expect.poll(() => lost.size, limit).toBe(number)
      await nodeRed.killAndRestart()
    }
    await expect.poll(messages, limit).toHaveLength(1)
    await isForgotten()
    expect(messages()).toMatchObject([{ topic: 'the book', chapters: [{}, {}] }])
    expect(paid.texts.filter((text, index) => paid.texts.indexOf(text) !== index)).toEqual([])
  })
})
