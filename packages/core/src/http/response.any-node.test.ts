import { inspect } from 'node:util'
import zlib, { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'

const { zstdCompressSync } = zlib as { zstdCompressSync?: typeof gzipSync }
const encoders = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  // Node before 22.15 has none.
  ...(zstdCompressSync && { zstd: zstdCompressSync }),
}

describe('a response', () => {
  it('may begin with a byte-order mark', async () => {
    const server = await startTestServer((response) => {
      response.end('\uFEFF{"voices":[{"voiceId":"Clara"}]}')
    })
    const { voices } = await createClient({ baseUrl: server.baseUrl }).listVoices()
    expect(voices).toEqual([{ voiceId: 'Clara' }])
  })

  it('is requested without compression, unless the caller sets the header', async () => {
    const server = await startTestServer((response) => void response.end('{"voices":[]}'))
    const client = createClient({ baseUrl: server.baseUrl })
    await client.listVoices()
    await client.listVoices({}, { headers: { 'Accept-Encoding': 'br' } })
    const sent = server.requests.map(({ headers }) => headers['accept-encoding'])
    expect(sent).toEqual(['identity', 'br'])
  })

  it.skipIf(zstdCompressSync)('is rejected if this version of Node knows no zstd', async () => {
    const head = { 'content-encoding': 'zstd' }
    const server = await startTestServer((response) => void response.writeHead(200, head).end('x'))
    const client = createClient({ baseUrl: server.baseUrl })
    await expect(client.listVoices()).rejects.toMatchObject({
      code: 'BAD_RESPONSE',
      message: expect.stringContaining('Content-Encoding zstd'),
    })
  })

  it('is decompressed by gzip, deflate, brotli or zstd', async () => {
    const json = Buffer.from(JSON.stringify({ voices: [{ voiceId: 'Clara' }] }))
    for (const [name, encode] of Object.entries(encoders)) {
      const server = await startTestServer((response) => {
        response.writeHead(200, { 'content-encoding': name }).end(encode(json))
      })
      const client = createClient({ baseUrl: server.baseUrl })
      expect((await client.listVoices()).voices).toEqual([{ voiceId: 'Clara' }])
    }
  })

  it('is read unchanged if its Content-Encoding is unknown', async () => {
    const server = await startTestServer((response) => {
      response.writeHead(200, { 'content-encoding': 'constructor' }).end('{"voices":[]}')
    })
    expect((await createClient({ baseUrl: server.baseUrl }).listVoices()).voices).toEqual([])
  })

  it('is rejected if its decompressed size exceeds the limit', async () => {
    const server = await startTestServer((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxResponseBytes: 10_000 })
    await expect(client.listVoices()).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
  })

  it.each(Object.keys(encoders))(
    'is rejected if its Content-Encoding says %s but its bytes do not match',
    async (name) => {
      const server = await startTestServer((response) => {
        response.writeHead(200, { 'content-encoding': name }).end('{"words":"of the response"}')
      })
      const client = createClient({ baseUrl: server.baseUrl })
      const speech = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }
      for (const call of [
        () => client.listVoices(),
        () => client.synthesizeStream(speech).consume(() => {}),
      ]) {
        const error = await call().catch((reason: unknown) => reason)
        expect(error).toMatchObject({
          name: 'ProtocolError',
          code: 'BAD_RESPONSE',
          retryable: false,
        })
        expect(error).toMatchObject({ requestId: expect.any(String) })
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('words')
      }
      expect(server.requests.length).toBe(2)
    },
  )

  it.each(Object.entries(encoders))(
    'counts as a lost connection if its %s data ends early',
    async (name, encode) => {
      const server = await startTestServer((response) => {
        const whole = encode(Buffer.from('{"voices":[]}'))
        response.writeHead(200, { 'content-encoding': name }).end(whole.subarray(0, -3))
      })
      const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
      await expect(client.listVoices()).rejects.toMatchObject({
        code: 'CONNECTION_LOST',
        retryable: true,
      })
    },
  )
})
