import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { keys } from '@parlando/test-support/secrets/keys'
import { freePort } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const cli = createRequire(import.meta.url).resolve('@parlando/local-service/cli')
const headers = { authorization: `Basic ${keys.service}` }
const jobCount = 1_000
const serviceCount = 3
const killEveryMs = 10_000
/** So long that some job is always at work: 1,000 take a minute and a half on three services. */
const speechMs = 200

/** The digits of a number as words: a service spells digits out. */
const digits = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'gnu', 'hen', 'imp', 'jay']
const textOf = (number: number) =>
  `${[...`${number}`].map((digit) => digits[Number(digit)]).join(' ')}.`
/** Loud enough not to be cut as silence. */
const levelOf = (text: string) =>
  2_000 +
  20 *
    Number(
      text
        .match(/[a-z]+/gi)!
        .map((word) => digits.indexOf(word.toLowerCase()))
        .join(''),
    )

/** What the paid server speaks: samples with the number of the text. */
function soundOf(text: string): Buffer {
  return Buffer.from(new Int16Array(2_400).fill(levelOf(text)).buffer)
}

/** A server that costs money for each text, and notes what it has spoken. */
async function startPaidServer() {
  const texts: string[] = []
  const server = await startTestServer(async (response, request, bytes) => {
    if (request.url !== '/v1/audio/speech') return void response.writeHead(404).end()
    const { input } = JSON.parse(Buffer.from(bytes).toString()) as { input: string }
    texts.push(input)
    await wait(speechMs)
    response.writeHead(200, { 'content-type': 'audio/pcm' }).end(soundOf(input))
  })
  return { texts, url: `${server.baseUrl}/v1` }
}

interface Service {
  baseUrl: string
  kill(): Promise<void>
}

/** Starts a service with the jobs of this store. */
async function startService(
  store: string,
  speechUpstream: string,
  folder: string,
): Promise<Service> {
  const port = await freePort()
  const options = {
    port,
    store,
    'data-folder': folder,
    'speech-upstream': speechUpstream,
    'speech-upstream-voice': 'alloy',
    'warm-up': false,
  }
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const child = spawn(process.execPath, [cli, ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PARLANDO_LOCAL_API_KEY: keys.service },
  })
  const exited = once(child, 'exit')
  await once(child.stdout!, 'data')
  child.stdout!.resume()
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { baseUrl: `http://127.0.0.1:${port}`, kill }
}

async function call(address: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, { ...init, headers })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response
}

async function findPaidVoice({ baseUrl }: Service): Promise<string> {
  const { voices } = (await (await call(`${baseUrl}/voices/v1/voices`)).json()) as {
    voices: { voiceId: string }[]
  }
  return voices.find(({ voiceId }) => /alloy/i.test(voiceId))!.voiceId
}

/** Submits a job for each number, to the services in turn. @returns the names of the jobs. */
async function submitAll(services: readonly Service[], voiceId: string): Promise<string[]> {
  const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }
  const submit = async (number: number) => {
    const { baseUrl } = services[number % serviceCount]!
    const text = textOf(number)
    const body = JSON.stringify({ text, voiceId, modelId: 'svc-tts-2', audioConfig })
    const path = `${baseUrl}/tts/v1/voice:synthesizeAsync`
    const response = await call(path, { method: 'POST', body })
    return ((await response.json()) as { name: string }).name
  }
  const names: string[] = []
  // A service has a limit of connections.
  while (names.length < jobCount) {
    const next = Array.from({ length: 20 }, (_, index) => submit(names.length + index))
    names.push(...(await Promise.all(next)))
  }
  return names
}

/** Kills one service after the other and starts it again, until `stop` is called. */
function killInTurn(services: Service[], start: (index: number) => Promise<Service>) {
  let kills = 0
  let isDone = false
  const killing = (async () => {
    while (!isDone) {
      await wait(killEveryMs)
      const index = kills++ % serviceCount
      await services[index]!.kill()
      services[index] = await start(index)
    }
  })()
  return {
    kills: () => kills,
    /** One that runs: it is the next to be killed. */
    survivor: () => services[kills % serviceCount]!,
    async stop() {
      isDone = true
      await killing
    },
  }
}

interface FinishedJob {
  state: string
  audioUri: string
}

/** Waits until each job has ended. @returns the jobs, in the order of their names. */
async function waitForAll(
  names: readonly string[],
  survivor: () => Service,
): Promise<FinishedJob[]> {
  const finished = new Map<string, FinishedJob>()
  const readUnfinished = async () => {
    for (const name of names.filter((one) => !finished.has(one))) {
      const response = await call(`${survivor().baseUrl}/lro/v1alpha/${name}`)
      const job = await response.json()
      if (!job.done) continue
      finished.set(name, { state: job.metadata.state, audioUri: job.response?.audioUri })
    }
    expect(finished.size).toBe(jobCount)
  }
  await vi.waitFor(readUnfinished, { timeout: 600_000, interval: 1_000 })
  return names.map((name) => finished.get(name)!)
}

async function expectSounds({ baseUrl }: Service, jobs: readonly FinishedJob[]): Promise<void> {
  for (const [number, { audioUri }] of jobs.entries()) {
    const { pathname, search } = new URL(audioUri)
    const response = await fetch(`${baseUrl}${pathname}${search}`)
    const samples = new Int16Array(await response.arrayBuffer())
    // The sound of the number, which is faded in and followed by a pause.
    expect(Math.abs(Math.max(...samples) - levelOf(textOf(number)))).toBeLessThan(10)
  }
}

describe(
  'a thousand jobs of three services, of which one is killed every ten seconds',
  needs('redis-server'),
  () => {
    it('each end once, with their sound, and are paid once', { timeout: 900_000 }, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parlando-jobs-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const redis = await startRedis()
      onTestFinished(() => redis.close())
      const paid = await startPaidServer()
      const start = (index: number) => startService(redis.url, paid.url, join(folder, `${index}`))
      const services = await Promise.all([...Array(serviceCount).keys()].map(start))
      onTestFinished(async () => {
        await Promise.all(services.map(({ kill }) => kill()))
      })
      const names = await submitAll(services, await findPaidVoice(services[0]!))
      const killing = killInTurn(services, start)
      const jobs = await waitForAll(names, killing.survivor)
      await killing.stop()
      expect(killing.kills()).toBeGreaterThan(3)
      expect(jobs.filter(({ state }) => state !== 'SUCCEEDED')).toEqual([])
      await expectSounds(services[0]!, jobs)
      // What a service had requested when it was killed has reached nobody.
      expect(new Set(paid.texts).size).toBe(jobCount)
      expect(paid.texts.length).toBeLessThanOrEqual(jobCount + killing.kills())
    })
  },
)
