import {
  connectSocket,
  type SocketClientOptions,
} from '@parlando/test-support/local-service/clients/socket-client'
import {
  chunks,
  closeStream,
  config,
  manual,
  path,
  silence,
  summary,
  useTestTranscription,
  voice,
} from '@parlando/test-support/local-service/clients/transcription-stream'
import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'

const service = useTestTranscription()

describe('the handshake', () => {
  // A subprotocol cannot contain every character of a key.
  const apiKey = keys.service.replace(/\W/g, '')

  it.each<[string, SocketClientOptions, query?: string]>([
    ['Basic', { headers: { authorization: `Basic ${apiKey}` } }],
    ['Bearer', { headers: { authorization: `Bearer ${apiKey}` } }],
    ['a subprotocol', { protocols: [`bearer_${apiKey}`] }],
    ['a query parameter', {}, `?authorization=Basic%20${apiKey}`],
  ])('accepts the key as %s', async (_name, options, query = '') => {
    const client = await service.connect({ apiKey }, options, path + query)
    client.send(config, closeStream)
    expect(await client.closed).toBe(1000)
  })

  it.each<[string, SocketClientOptions, query?: string]>([
    ['no key', {}],
    ['a wrong key', { headers: { authorization: 'Basic wrong' } }],
    ['a wrong subprotocol', { protocols: ['bearer_wrong'] }],
    ['a wrong query parameter', {}, '?authorization=Basic%20wrong'],
  ])('is rejected with %s', async (_name, options, query = '') => {
    await expect(service.connect({ apiKey }, options, path + query)).rejects.toThrow(
      /^401 .*key is missing or wrong/,
    )
  })

  it('of a web page is rejected unless its origin is allowed', async () => {
    const headers = { origin: 'https://example.org' }
    await expect(service.connect({}, { headers })).rejects.toThrow(/^403 .*https:\/\/example.org/)
    const client = await service.connect({ allowOrigins: ['https://example.org'] }, { headers })
    client.send(config, closeStream)
    expect(await client.closed).toBe(1000)
  })

  it('at an unknown path is rejected', async () => {
    const { baseUrl } = await service.open()
    await expect(connectSocket(baseUrl, '/other')).rejects.toThrow(/^404 .*Unknown path/)
  })

  it('is required', async () => {
    const { baseUrl } = await service.open()
    const response = await fetch(baseUrl + path)
    expect(response.status).toBe(426)
    expect(await response.text()).toMatch(/is a WebSocket/)
  })

  it('accepts a path whose colon is encoded', async () => {
    const { baseUrl } = await service.open()
    const client = await connectSocket(baseUrl, path.replace(':', '%3A'))
    client.send(config, closeStream)
    expect(await client.closed).toBe(1000)
  })
})

describe('the limits', () => {
  it('reject another socket, and accept it when one has closed', async () => {
    const { baseUrl } = await service.open({ maxSockets: 1 })
    const first = await connectSocket(baseUrl, path)
    await expect(connectSocket(baseUrl, path)).rejects.toThrow(/^429 .*limit of 1 socket/)
    first.send(config, closeStream)
    await first.closed
    const second = await connectSocket(baseUrl, path)
    second.send(config, closeStream)
    expect(await second.closed).toBe(1000)
  })

  it('keep a connection whose client sends audio, but responds to no ping', async () => {
    const client = await service.connect({ pingMs: 50 }, { autoPong: false })
    client.send(manual)
    let pings = 0
    client.webSocket.on('ping', () => {
      pings += 1
      client.send(...chunks(silence(100)))
    })
    await expect.poll(() => pings).toBeGreaterThan(3)
    client.send(closeStream)
    expect(await client.closed).toBe(1000)
  })

  it('end a connection whose client has disappeared', async () => {
    const client = await service.connect({ pingMs: 50 })
    client.webSocket.pause()
    client.send(manual, ...chunks(silence(100)))
    await expect.poll(() => service.recogniser.requests[0]?.signal.aborted).toBe(true)
    expect(service.recogniser.running).toBe(0)
  })
})

describe('a service that stops', () => {
  it('sends the results of running streams', async () => {
    const server = await service.open()
    const client = await connectSocket(server.baseUrl, path)
    client.send(config, ...chunks(silence(500), voice(1000)))
    await expect.poll(() => summary(client)).toEqual(['speechStarted'])
    await server.drain(5000)
    expect(await client.closed).toBe(1001)
    expect(summary(client)).toEqual([
      'speechStarted',
      'speechStopped',
      expect.stringMatching(/^final/),
      'usage',
    ])
  })

  it('cuts a stream that does not end', async () => {
    service.recogniser.onWork = (work) => (work === 'end' ? new Promise(() => {}) : undefined)
    const server = await service.open()
    const client = await connectSocket(server.baseUrl, path)
    client.send(manual, ...chunks(silence(500)))
    await expect.poll(() => service.recogniser.running).toBe(1)
    await server.drain(50)
    await server.close()
    expect(await client.closed).toBe(1006)
  })
})
