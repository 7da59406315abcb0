import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCall, resolveOptions } from './client-options.ts'
import { createTransport, type RequestBody } from './transport.ts'

/** Sends the body and returns the request as a web server would read it; the first attempt fails. */
async function received(body: RequestBody): Promise<Request[]> {
  const requests: Request[] = []
  const server = await startTestServer((response, { headers }, bytes) => {
    const { 'content-type': type = '', 'content-length': length = '' } = headers
    requests.push(
      new Request('http://service', {
        method: 'POST',
        headers: { 'content-type': type, 'x-length': length },
        body: bytes,
      }),
    )
    if (requests.length === 1) response.writeHead(503, { 'retry-after': '0' }).end()
    else response.end('{}')
  })
  const options = resolveOptions({ baseUrl: server.baseUrl })
  const transport = createTransport(options)
  const call = createCall(options, {}, 'Upload')
  await transport.sendForJson(z.unknown(), { method: 'POST', path: '/', body }, call)
  return requests
}

describe('a request body', () => {
  it('is JSON', async () => {
    for (const request of await received({ json: { text: 'Grüß Gott' } })) {
      expect(request.headers.get('content-type')).toBe('application/json')
      expect(await request.json()).toEqual({ text: 'Grüß Gott' })
    }
  })

  it('is bytes with their media type', async () => {
    const bytes = Uint8Array.of(0, 1, 254, 255)
    for (const request of await received({ bytes, contentType: 'audio/wav' })) {
      expect(request.headers.get('content-type')).toBe('audio/wav')
      expect(new Uint8Array(await request.arrayBuffer())).toEqual(bytes)
    }
  })

  it('has a known length in every form', async () => {
    for (const body of [{ json: {} }, { bytes: new Uint8Array(3), contentType: 'x/y' }]) {
      const [request] = await received(body)
      expect(Number(request?.headers.get('x-length'))).toBeGreaterThan(0)
    }
  })
})
