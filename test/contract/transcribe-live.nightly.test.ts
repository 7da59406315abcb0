import {
  type Client,
  createClient,
  type TranscriptionEvent,
  type TranscriptionStream,
} from '@parlando/core'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { createTestApp } from '@parlando/test-support/local-service/test-app'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { RunningEngine } from '../../packages/local-service/src/engines/engine-registry.ts'
import { createPocketsphinxRecogniser } from '../../packages/local-service/src/recognisers/pocketsphinx/pocketsphinx-recogniser.ts'

const text = 'the coffee is ready'
let firstWords: Uint8Array
/** Ends with its last loud sample. */
let lastWords: Uint8Array
beforeAll(async () => {
  const samples = await spokenSound(text)
  const end = samples.findLastIndex((sample) => Math.abs(sample) > 300)
  const middle = Math.round(0.75 * end)
  firstWords = new Uint8Array(samples.slice(0, middle).buffer)
  lastWords = new Uint8Array(samples.slice(middle, end).buffer)
})

let client: Client
let warnings: string[]
let failures: unknown[]
beforeEach(async () => {
  warnings = []
  failures = []
  const warn = (message: string) => warnings.push(message)
  const recogniser = createPocketsphinxRecogniser({ warn })
  const app = createTestApp({} as RunningEngine, (error) => failures.push(error), undefined, {
    recognisers: new Map([['pocketsphinx', recogniser]]),
  })
  const { baseUrl } = await openTestServer({ fetch: app.fetch })
  client = createClient({ baseUrl, maxRetries: 0 })
  onTestFinished(async () => {
    await client.close()
    await recogniser.close()
    expect(recogniserProcesses()).toEqual([])
  })
})

const recogniserProcesses = () =>
  runningChildProcesses().filter(({ spawnargs }) => spawnargs.join(' ').includes('pocketsphinx'))

function killRecogniser(): void {
  for (const process of recogniserProcesses()) process.kill('SIGKILL')
}

function openStream() {
  const stream = client.transcribeStream({ endOfTurn: { vadThreshold: 0 } })
  const events = stream[Symbol.asyncIterator]()
  const readUntil = async (type: TranscriptionEvent['type']): Promise<TranscriptionEvent> => {
    for (;;) {
      const { value, done } = await events.next()
      if (done) throw new Error(`The stream ended before ${type}`)
      if (value.type === type) return value
    }
  }
  return { stream, readUntil }
}

const final = { type: 'final', text }

async function writeAll(stream: TranscriptionStream): Promise<void> {
  await stream.write(firstWords)
  await stream.write(lastWords)
}

describe('a turn', needsRecogniser(), () => {
  it('keeps its last word, with which the sound ends', async () => {
    const { stream, readUntil } = openStream()
    await writeAll(stream)
    stream.end()
    expect(await readUntil('final')).toMatchObject(final)
    expect(await readUntil('usage')).toMatchObject({ modelId: 'pocketsphinx/en-us' })
  })

  it('is transcribed although the process of the recogniser is killed in the middle of it, and so is the next one', async () => {
    const { stream, readUntil } = openStream()
    await stream.write(firstWords)
    await readUntil('interim')
    killRecogniser()
    await stream.write(lastWords)
    stream.endTurn()
    expect(await readUntil('final')).toMatchObject(final)
    await writeAll(stream)
    stream.end()
    expect(await readUntil('final')).toMatchObject(final)
    expect(await readUntil('usage')).toBeDefined()
    expect(warnings).toEqual(['pocketsphinx failed during an utterance: its process ended'])
    expect(failures).toEqual([])
  })

  it('fails with one error if that process is killed too, and the next stream is transcribed', async () => {
    const { stream, readUntil } = openStream()
    await stream.write(firstWords)
    await readUntil('interim')
    killRecogniser()
    await expect.poll(() => warnings).toHaveLength(1)
    await stream.write(lastWords)
    await expect.poll(() => recogniserProcesses().length).toBe(1)
    killRecogniser()
    stream.endTurn()
    const error = await failureOf(readUntil('final'))
    expect(error).toMatchObject({ code: 'UNAVAILABLE', retryable: true })
    expect(error.message).toContain('pocketsphinx')
    expect(error.message).not.toContain('coffee')
    expect(failures).toHaveLength(1)
    const next = openStream()
    await writeAll(next.stream)
    next.stream.end()
    expect(await next.readUntil('final')).toMatchObject(final)
  })
})
