import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startLittleServer } from '../../../test/support/little-server.ts'
import { createClient } from './client.ts'

describe('an answer', () => {
  it('is read when it comes compressed, by gzip, deflate or brotli', async () => {
    const json = Buffer.from(JSON.stringify({ voices: [{ voiceId: 'Clara' }] }))
    const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
    for (const [name, encode] of Object.entries(encoders)) {
      const server = await startLittleServer((response) => {
        response.writeHead(200, { 'content-encoding': name }).end(encode(json))
      })
      const client = createClient({ baseUrl: server.baseUrl })
      expect((await client.listVoices()).voices).toEqual([{ voiceId: 'Clara' }])
    }
  })

  it('is read as it is where the name of what it was compressed with is none', async () => {
    const server = await startLittleServer((response) => {
      response.writeHead(200, { 'content-encoding': 'constructor' }).end('{"voices":[]}')
    })
    expect((await createClient({ baseUrl: server.baseUrl }).listVoices()).voices).toEqual([])
  })

  it('is refused when what was compressed is larger than the limit', async () => {
    const server = await startLittleServer((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)))
    })
    const client = createClient({ baseUrl: server.baseUrl, maxAnswerBytes: 10_000 })
    await expect(client.listVoices()).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' })
  })

  it('breaks off readably when what was compressed is damaged', async () => {
    const server = await startLittleServer((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip')
    })
    const client = createClient({ baseUrl: server.baseUrl, retries: 0 })
    await expect(client.listVoices()).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
  })
})
