import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { writeWavHeader } from '@parlando/core/audio'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fetchSound } from './fetch-sound.ts'

const RED = { _: (key: string) => key }
const signal = new AbortController().signal
const second = Buffer.alloc(48_000)

it('closes the connection after an abort, and fails the sound with its reason', async () => {
  const server = await startTestServer((response) => {
    response.write(writeWavHeader({ sampleRateHertz: 24_000 }))
    const send = () => response.write(second, (error) => error || setImmediate(send))
    send()
  })
  const controller = new AbortController()
  const sound = await fetchSound(server.baseUrl, controller.signal, RED)
  controller.abort(new Error('stopped'))
  await expect(sound.completed).rejects.toThrow('stopped')
  await vi.waitFor(() => expect(server.openSockets()).toBe(0), { timeout: 30_000 })
})

const wav = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 24_000, dataBytes: 8 }),
  Buffer.alloc(8),
])

describe('a redirect', () => {
  it('is followed on the same host', async () => {
    const server = await startTestServer((response, { url }) => {
      if (url === '/bell.wav') return void response.end(wav)
      response.writeHead(302, { location: '/bell.wav' }).end('It has moved.')
    })
    const sound = await fetchSound(`${server.baseUrl}/bell`, signal, RED)
    await sound.completed
    expect(sound.byteLength).toBe(wav.length)
  })

  it('is not followed to another host', async () => {
    const other = await startTestServer((response) => void response.end(wav))
    const server = await startTestServer((response) => {
      response.writeHead(307, { location: `${other.baseUrl}/bell.wav` }).end()
    })
    const fetching = fetchSound(server.baseUrl, signal, RED)
    await expect(fetching).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'play.error.redirect',
    })
    expect(other.requests).toEqual([])
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('is not followed in a circle', async () => {
    const server = await startTestServer((response) => {
      response.writeHead(301, { location: '/' }).end()
    })
    const fetching = fetchSound(server.baseUrl, signal, RED)
    await expect(fetching).rejects.toMatchObject({ message: 'play.error.status' })
    expect(server.requests).toHaveLength(6)
  })
})

it('fetches through the proxy of the environment, except from hosts in NO_PROXY', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const server = await startTestServer((response) => void response.end(wav))
  const targets: string[] = []
  const proxy = createServer().on('connect', (request, client) => {
    targets.push(request.url!)
    const upstream = connect(Number(new URL(server.baseUrl).port), '127.0.0.1')
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    upstream.pipe(client).pipe(upstream)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  for (const name of ['HTTP_PROXY', 'http_proxy']) {
    vi.stubEnv(name, `http://127.0.0.1:${port}`)
  }
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '0.0.0.0')
  const sound = await fetchSound('http://sounds.example/bell.wav', signal, RED)
  await sound.completed
  expect(targets).toEqual(['sounds.example:80'])
  // This address connects to this machine, but is not a loopback address.
  await fetchSound(server.baseUrl.replace('127.0.0.1', '0.0.0.0'), signal, RED)
  expect(targets).toHaveLength(1)
  expect(server.requests).toHaveLength(2)
})
