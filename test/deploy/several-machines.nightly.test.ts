import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { type Client, createClient } from '@parlando/core'
import { writeWavHeader } from '@parlando/core/audio'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { findProgram, needs } from '@parlando/test-support/programs/installed-programs'
import { type Redis, startRedis } from '@parlando/test-support/programs/redis'
import { keys } from '@parlando/test-support/secrets/keys'
import { freePort } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const cli = createRequire(import.meta.url).resolve('@parlando/local-service/cli')
const configuration = new URL('../../deploy/haproxy.cfg', import.meta.url)
const apiKey = keys.service
const speech = { voiceId: 'Clara', modelId: 'svc-tts-2' }
const pcm = Buffer.from(voicedSound({ seconds: 6 }).buffer)
const recording = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 16_000, dataBytes: pcm.length }),
  pcm,
])
const sentence = 'The laundry is done, and the dishes are clean. '
/** Longer than two checks of the proxy. */
const stopDelayMs = 4000

interface Machine {
  process: ChildProcess
  port: number
  agentPort: number
  baseUrl: string
  exited: Promise<unknown>
}

async function startMachine(store: string, folder: string, ports?: number[]): Promise<Machine> {
  const [port, agentPort] = ports ?? [await freePort(), await freePort()]
  const options = {
    port: port,
    'agent-port': agentPort,
    'stop-delay-ms': stopDelayMs,
    'stop-limit-ms': 60_000,
    'data-folder': folder,
    'warm-up': false,
    'trust-proxy': '127.0.0.1',
  }
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const child = spawn(process.execPath, [cli, ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PARLANDO_LOCAL_API_KEY: apiKey, PARLANDO_LOCAL_STORE: store },
  })
  const exited = once(child, 'exit')
  await once(child.stdout!, 'data')
  child.stdout!.resume()
  return {
    process: child,
    port: port!,
    agentPort: agentPort!,
    baseUrl: `http://127.0.0.1:${port}`,
    exited,
  }
}

/** Starts HAProxy with the configuration of the project, in front of these machines. */
async function startProxy(folder: string, machines: readonly Machine[]) {
  const port = await freePort()
  const servers = machines.map(
    (machine, index) =>
      `  server machine${index} 127.0.0.1:${machine.port} agent-port ${machine.agentPort}`,
  )
  const written = (await readFile(configuration, 'utf8'))
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/^ {2}server .*\n/gm, '')
  const path = join(folder, 'haproxy.cfg')
  await writeFile(path, `${written}${servers.join('\n')}\n`)
  const child = spawn(findProgram('haproxy')!, ['-db', '-f', path], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Sends JSON from one of the addresses of this machine. */
async function postFrom(
  localAddress: string,
  address: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ name?: string; code?: number }> {
  const sent = request(address, { method: 'POST', localAddress, headers })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return (await json(response)) as { name?: string; code?: number }
}

describe(
  'three services behind HAProxy, with a store in Redis',
  needs('haproxy', 'redis-server'),
  () => {
    let folder: string
    let redis: Redis
    let machines: Machine[]
    let proxy: Awaited<ReturnType<typeof startProxy>>
    let client: Client
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parlando-machines-'))
      redis = await startRedis()
      const start = (index: number) => startMachine(redis.url, join(folder, `${index}`))
      machines = await Promise.all([0, 1, 2].map(start))
      proxy = await startProxy(folder, machines)
      client = createClient({ baseUrl: proxy.baseUrl, apiKey })
      await vi.waitFor(() => client.listVoices(), 20_000)
    })
    afterAll(async () => {
      await client?.close()
      await proxy?.close()
      for (const { process, exited } of machines ?? []) {
        process.kill('SIGKILL')
        await exited
      }
      await redis?.close()
      await rm(folder, { recursive: true, force: true })
    })

    const speak = async (text: string) => {
      const stream = client.synthesizeStream({ ...speech, text })
      let bytes = 0
      for await (const { audio } of stream) bytes += audio.length
      return bytes
    }

    it('have a voice that one of them has cloned, within a second', async () => {
      const [first, ...others] = machines.map(({ baseUrl }) => createClient({ baseUrl, apiKey }))
      const { voice } = await first!.cloneVoice({
        displayName: 'Anna',
        langCode: 'EN_US',
        samples: [recording],
      })
      const clonedAt = performance.now()
      for (const other of others) {
        await vi.waitFor(() => other.getVoice(voice.voiceId), { timeout: 20_000, interval: 20 })
      }
      expect(performance.now() - clonedAt).toBeLessThan(1000)
      await others[0]!.deleteVoice(voice.voiceId)
      await vi.waitFor(() => expect(first!.getVoice(voice.voiceId)).rejects.toThrow(), 20_000)
      await Promise.all([first, ...others].map((one) => one?.close()))
    })

    it('know callers by the addresses that the proxy states, and not by those that a caller states', async () => {
      const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 48_000 }
      const body = JSON.stringify({ ...speech, text: 'a '.repeat(25_000), audioConfig })
      const names: string[] = []
      /** More than a quarter of the space for long texts, of which one caller has half. */
      const submit = async (localAddress: string, forged: string) => {
        const response = await postFrom(
          localAddress,
          `${proxy.baseUrl}/tts/v1/voice:synthesizeAsync`,
          {
            authorization: `Basic ${apiKey}`,
            'x-forwarded-for': forged,
          },
          body,
        )
        if (response.name) names.push(response.name)
        return response.code
      }
      expect(await submit('127.0.0.2', '192.0.2.1')).toBeUndefined()
      expect(await submit('127.0.0.2', '192.0.2.2')).toBe(8)
      expect(await submit('127.0.0.3', '192.0.2.1')).toBeUndefined()
      for (const name of names) await client.speechJob(name).remove()
    })

    it('lose no request while they are restarted one after another', {
      timeout: 300_000,
    }, async () => {
      const spoken = await speak(sentence)
      let isRestarting = true
      const failures: unknown[] = []
      let requests = 0
      const listener = async () => {
        while (isRestarting) {
          requests += 1
          await speak(sentence).then(
            (bytes) => bytes === spoken || failures.push(`${bytes} bytes`),
            (error) => failures.push(error),
          )
        }
      }
      const listeners = Array.from({ length: 6 }, listener)
      for (const [index, machine] of machines.entries()) {
        machine.process.kill('SIGTERM')
        await machine.exited
        const ports = [machine.port, machine.agentPort]
        machines[index] = await startMachine(redis.url, join(folder, `${index}`), ports)
        await vi.waitFor(() => fetch(`${machine.baseUrl}/healthz`), 20_000)
      }
      isRestarting = false
      await Promise.all(listeners)
      expect(failures).toEqual([])
      expect(requests).toBeGreaterThan(20)
    })

    it('lose only the streams of the one that is killed, each with one error', {
      timeout: 300_000,
    }, async () => {
      const long = sentence.repeat(10)
      const [killed, ...others] = machines
      const metricsOf = async ({ baseUrl }: Machine) => {
        const headers = { authorization: `Bearer ${apiKey}` }
        return (await fetch(`${baseUrl}/metrics`, { headers })).text()
      }
      const streams = Array.from({ length: 32 }, () =>
        speak(long).then(
          (bytes) => ({ bytes }),
          (error: Error & { code: string }) => ({ error }),
        ),
      )
      await vi.waitFor(
        async () => expect(await metricsOf(killed!)).toMatch(/running_phrases\{[^}]*\} [1-9]/),
        20_000,
      )
      killed!.process.kill('SIGKILL')
      const results = await Promise.all(streams)
      const failed = results.filter((result) => 'error' in result)
      const complete = results.flatMap((result) => ('bytes' in result ? result.bytes : []))
      expect(new Set(complete).size).toBe(1)
      expect(failed.length).toBeLessThanOrEqual(Math.ceil(32 / 3) + 3)
      for (const { error } of failed) expect(error).toMatchObject({ code: 'CONNECTION_LOST' })
      expect(others).toHaveLength(2)
      await vi.waitFor(() => speak(sentence), 20_000)
    })
  },
)
