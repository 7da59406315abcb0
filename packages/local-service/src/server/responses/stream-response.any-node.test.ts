import { once } from 'node:events'
import { connect } from 'node:net'
import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalService, startLocalService } from '../../service.ts'
import { streamResponse } from './stream-response.ts'

let service: LocalService

beforeAll(async () => {
  service = await startLocalService({ warmUp: false })
})

afterAll(() => service.close())

/** Sends a request over a plain socket and reads until the service closes it. */
async function sendRaw(version: string, path: string, body: object) {
  const { port } = new URL(service.baseUrl)
  const text = JSON.stringify(body)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST ${path} HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  )
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  await once(socket, 'end')
  const [head = '', ...rest] = Buffer.concat(pieces).toString('latin1').split('\r\n\r\n')
  return { head: head.toLowerCase(), body: rest.join('\r\n\r\n') }
}

it('a streamed response stops the work when its reader cancels', async () => {
  let hasEnded = false
  async function* createChunks() {
    try {
      for (;;) yield Buffer.from('on and on')
    } finally {
      hasEnded = true
    }
  }
  const app = new Hono()
  const response = { contentType: 'text/plain', createChunks, createErrorChunk: () => undefined }
  app.get('/', (context) => streamResponse(context, response))
  const reader = (await app.request('/')).body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(hasEnded).toBe(true)
})

it('a streamed response does not start the work if its caller has left', async () => {
  let hasBegun = false
  async function* createChunks() {
    hasBegun = true
    yield Buffer.from('a phrase')
  }
  const app = new Hono()
  const response = { contentType: 'text/plain', createChunks, createErrorChunk: () => undefined }
  app.get('/', (context) => streamResponse(context, response))
  app.onError((error) => new Response(error.name))
  const request = new Request('http://localhost/', { signal: AbortSignal.abort() })
  expect(await (await app.request(request)).text()).toBe('AbortError')
  expect(hasBegun).toBe(false)
})

const messages = [{ role: 'user', content: 'Hello' }]

describe('a streamed response', () => {
  it.each([
    ['/tts/v1/voice:stream', speechRequest, /^\{"result".*\}\n$/s],
    [
      '/v1/audio/speech',
      { model: 'svc-tts-2', input: 'Hi.', voice: 'Clara', response_format: 'wav' },
      /^RIFF/,
    ],
    ['/v1/chat/completions', { model: 'echo', stream: true, messages }, /^data: .*\[DONE\]\n\n$/s],
  ])(
    'is chunked only for HTTP/1.1, and ends with the connection for HTTP/1.0: %s',
    async (path, body, form) => {
      const old = await sendRaw('1.0', path, body)
      expect(old.head).not.toContain('transfer-encoding')
      expect(old.head).toContain('connection: close')
      expect(old.body).toMatch(form)
      expect((await sendRaw('1.1', path, body)).head).toContain('transfer-encoding: chunked')
    },
  )
})
