import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '@parlando/core'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { freePort } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, usePythonEnvironment } from './python/python-environment.ts'

const pieceSamples = 1600

let server: ChildProcess
let service: LocalService
let client: Client

beforeAll(async () => {
  const wyoming = usePythonEnvironment('wyoming-openwakeword', {
    minVersion: 9,
    // It needs tflite-runtime-nightly.
    maxVersion: 11,
    install: (pip) => pip('wyoming-openwakeword==1.8.2', 'numpy<2'),
  })
  const words = usePythonEnvironment('hey-claude', {
    minVersion: 10,
    install: (pip) => pip('--no-deps', 'hey-claude==0.3.0'),
  })
  const find = 'import hey_claude.models; print(hey_claude.models.__path__[0])'
  const openWakeWords = run(join(words, 'python'), '-c', find).trim()
  const port = await freePort()
  const address = `tcp://127.0.0.1:${port}`
  const program = join(wyoming, 'wyoming-openwakeword')
  server = spawn(program, ['--uri', address, '--preload-model', 'hey_jarvis'], { stdio: 'ignore' })
  await untilItListens(port)
  service = await startLocalService({
    port: 0,
    warmUp: false,
    wyomingWakeWords: address,
    openWakeWords,
  })
  client = createClient({ baseUrl: service.baseUrl })
}, 600_000)

afterAll(async () => {
  await client?.close()
  await service?.close()
  server?.kill('SIGKILL')
})

async function untilItListens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    if (server.exitCode !== null) throw new Error('wyoming-openwakeword has ended')
    await delay(200)
  }
}

/**
 * Sends the sound as a microphone does: wyoming-openwakeword calculates in threads, and reports at the end of the sound that it has
 * found nothing in what it has not calculated yet.
 * @returns the phrases that the model finds, with where they end.
 */
async function find(modelId: string, samples: Int16Array) {
  const stream = client.findWakeWords({ modelId })
  const send = async () => {
    for (let at = 0; at < samples.length; at += pieceSamples) {
      const piece = samples.slice(at, at + pieceSamples)
      await stream.write(new Uint8Array(piece.buffer))
      await delay((1000 * pieceSamples) / 16_000)
    }
    stream.end()
  }
  const sending = send()
  const found: { phrase: string; endMs: number }[] = []
  for await (const event of stream) {
    if (event.type === 'detection') found.push({ phrase: event.phrase, endMs: event.endMs })
  }
  await sending
  return found
}

/** Two seconds of silence before it: the networks of openWakeWord see that much. */
async function say(text: string): Promise<{ samples: Int16Array; endMs: number }> {
  const spoken = await spokenSound(text)
  const samples = Int16Array.from([...new Int16Array(32_000), ...spoken, ...new Int16Array(16_000)])
  return { samples, endMs: 2000 + (1000 * (spoken.length - 8000)) / 16_000 }
}

describe.each([
  ['wyoming-openwakeword', 'wyoming/hey_jarvis_v0.1', 'hey jarvis'],
  [
    'a graph that others have trained for openWakeWord',
    'openwakeword/hey_computer',
    'hey computer',
  ],
])('%s', (_name, modelId, phrase) => {
  it('is listed with its phrase', async () => {
    const { models } = await client.listWakeWordModels()
    expect(models).toContainEqual(expect.objectContaining({ modelId, phrases: [phrase] }))
  })

  it('finds the phrase when somebody says it', async () => {
    const { samples, endMs } = await say(phrase)
    const found = await find(modelId, samples)
    expect(found).toMatchObject([{ phrase }])
    expect(Math.abs(found[0]!.endMs - endMs)).toBeLessThan(500)
  })

  it('finds it in no other sentence', async () => {
    const { samples } = await say('The train to the coast leaves from platform nine at noon.')
    expect(await find(modelId, samples)).toEqual([])
  })
})
