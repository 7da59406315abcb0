import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LocalServiceOptions } from './options.ts'
import { type LocalService, startLocalService } from './service.ts'

async function start(options: LocalServiceOptions = {}): Promise<LocalService> {
  const service = await startLocalService({ warmUp: false, ...options })
  onTestFinished(() => service.close())
  return service
}

async function openStream({ baseUrl }: LocalService, text: string) {
  const body = JSON.stringify({ ...speechRequest, text, timestampType: 'WORD' })
  const response = await fetch(`${baseUrl}/tts/v1/voice:stream`, { method: 'POST', body })
  const reader = response.body!.getReader()
  const first = await reader.read()
  return { reader, first }
}

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value)
  }
  return Buffer.concat(pieces).toString()
}

it('listens on a free loopback port until it is closed', async () => {
  const service = await start()
  expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect((await fetch(`${service.baseUrl}/voices/v1/voices`)).status).toBe(200)
  const idle = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  await new Promise((resolve) => idle.once('connect', resolve))
  await service.close()
  await expect(fetch(`${service.baseUrl}/voices/v1/voices`)).rejects.toThrow()
})

it('accepts requests before its voices have warmed up, and stops while they do', async () => {
  const service = await start({ warmUp: true })
  const metrics = async () => (await fetch(`${service.baseUrl}/metrics`)).text()
  await expect.poll(metrics).toMatch(/^parlando_running_phrases\{engine="flite"\} [1-9]/m)
  const response = await fetch(`${service.baseUrl}/tts/v1/voice`, {
    method: 'POST',
    body: JSON.stringify(speechRequest),
  })
  expect(response.status).toBe(200)
})

it('reports that a port is in use', async () => {
  const service = await start()
  const port = Number(new URL(service.baseUrl).port)
  await expect(startLocalService({ port, warmUp: false })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
})

it('does not start if other machines could reach it without a key', async () => {
  await expect(startLocalService({ host: '0.0.0.0', warmUp: false })).rejects.toThrow(/set a key/)
})

it('leaves nothing running if a part of it does not start', async () => {
  const upstream = await startTestServer((response) => void response.end('{"voices":[]}'))
  upstream.server.keepAliveTimeout = 600_000
  const dataFolder = mkdtempSync(join(tmpdir(), 'parlando-data-'))
  onTestFinished(() => rmSync(dataFolder, { recursive: true }))
  // A folder in place of the document of a job.
  mkdirSync(join(dataFolder, 'jobs', 'a', 'job.json'), { recursive: true })
  const starting = startLocalService({ dataFolder, upstream: upstream.baseUrl, warmUp: false })
  await expect(starting).rejects.toMatchObject({ code: 'EISDIR' })
  expect(upstream.requests).toHaveLength(1)
  await expect.poll(upstream.openSockets).toBe(0)
})

describe('a service that is closed while it speaks', () => {
  const longText = 'The kettle has boiled and the tea is ready in the kitchen. '.repeat(10)

  it('finishes running speech and rejects new requests', async () => {
    const service = await start({ stopLimitMs: 60_000 })
    const { reader, first } = await openStream(service, longText)
    const closed = service.close()
    const rejected = await fetch(`${service.baseUrl}/voices/v1/voices`)
    expect([rejected.status, rejected.headers.get('connection')]).toEqual([503, 'close'])
    expect(await rejected.json()).toMatchObject({ code: 14, message: /is stopping/ })
    const health = await fetch(`${service.baseUrl}/healthz`)
    expect([health.status, await health.json()]).toMatchObject([503, { status: 'stopping' }])
    const lines = (Buffer.from(first.value!) + (await readToEnd(reader))).trimEnd().split('\n')
    const words = lines.flatMap((line) => JSON.parse(line).result.timestampInfo.wordAlignment.words)
    expect(words).toHaveLength(longText.trim().split(' ').length)
    await closed
  })

  it('cuts off speech that exceeds the limit', async () => {
    const service = await start({ stopLimitMs: 0 })
    const { reader } = await openStream(service, longText.repeat(30))
    await service.close()
    await expect(readToEnd(reader)).rejects.toThrow()
  })
})

/** Asks a service to stop, and then uses it. @returns nothing if this took longer than the service goes on. */
async function useAfterStop(stopDelayMs: number) {
  const service = await start({ stopDelayMs })
  const stoppedAtMs = performance.now()
  const closed = service.close()
  const body = JSON.stringify(speechRequest)
  const used = Promise.all([
    fetch(`${service.baseUrl}/healthz`),
    fetch(`${service.baseUrl}/tts/v1/voice`, { method: 'POST', body }),
  ])
  await used.catch(() => {})
  const isInTime = performance.now() - stoppedAtMs < stopDelayMs
  await closed
  await expect(fetch(`${service.baseUrl}/healthz`)).rejects.toThrow()
  return isInTime ? used : undefined
}

it('accepts requests for a while after it is asked to stop, and reports that it will stop', async () => {
  const [health, speech] =
    (await useAfterStop(1000)) ?? (await useAfterStop(5000)) ?? (await useAfterStop(20_000))!
  expect([health.status, await health.json()]).toMatchObject([503, { status: 'stopping' }])
  expect(speech.status).toBe(200)
}, 120_000)

describe('the Wyoming server of the service', () => {
  it('runs only if it has a port, on the same address, until the service is closed', async () => {
    expect((await start()).wyomingUrl).toBeUndefined()
    const service = await start({ wyomingPort: 0 })
    expect(service.wyomingUrl).toMatch(/^tcp:\/\/127\.0\.0\.1:\d+$/)
    const port = Number(new URL(service.wyomingUrl!).port)
    const socket = connect(port, '127.0.0.1')
    socket.write('{"type": "describe", "version": "1.10.2"}\n')
    const [data] = await once(socket, 'data')
    expect(String(data)).toMatch(/^{"type":"info"/)
    await service.close()
    const late = connect(port, '127.0.0.1')
    await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED')
  })

  it('names its option if the port is in use, and leaves nothing running', async () => {
    const { wyomingUrl } = await start({ wyomingPort: 0 })
    const wyomingPort = Number(new URL(wyomingUrl!).port)
    await expect(startLocalService({ wyomingPort })).rejects.toThrow('--wyoming-port')
  })
})
