import { startTestServer } from '@parlando/test-support/test-server'
import { describe, expect, it } from 'vitest'
import { createCall } from './call.ts'
import { resolveOptions } from './options.ts'
import type { RequestBody } from './request.ts'
import { createTransport } from './transport.ts'

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
  await transport.sendForJson(
    { what: 'Upload', method: 'POST', path: '/', body },
    createCall(options),
  )
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

  it('is a form with fields and files, the same for every attempt', async () => {
    const form = new FormData()
    form.append('model', 'small')
    form.append('file', new Blob([Uint8Array.of(0, 255)], { type: 'audio/wav' }), 'speech.wav')
    const requests = await received({ form })
    expect(requests).toHaveLength(2)
    for (const request of requests) {
      const fields = await request.formData()
      expect(fields.get('model')).toBe('small')
      const file = fields.get('file') as File
      expect([file.name, file.type]).toEqual(['speech.wav', 'audio/wav'])
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(Uint8Array.of(0, 255))
    }
  })

  it('has a known length in every form', async () => {
    const form = new FormData()
    form.append('model', 'small')
    for (const body of [{ json: {} }, { bytes: new Uint8Array(3), contentType: 'x/y' }, { form }]) {
      const [request] = await received(body)
      expect(Number(request?.headers.get('x-length'))).toBeGreaterThan(0)
    }
  })
})
