import { createServer, type ServerResponse } from 'node:http'
import { freePort } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../client.ts'

it.each(['{}', ''])('deletes a voice, even if the body of the response is "%s"', async (body) => {
  const server = await startTestServer((response) => void response.end(body))
  const client = createClient({ baseUrl: server.baseUrl })
  expect(await client.deleteVoice('work__me')).toBeUndefined()
  expect(server.requests).toMatchObject([
    { method: 'DELETE', url: '/voices/v1/voices/work__me', body: '' },
  ])
  expect(server.requests[0]?.headers['content-type']).toBeUndefined()
})

it('does not read an endless response', async () => {
  const server = await startTestServer((response) => {
    response.write(Buffer.alloc(96 * 1024))
  })
  const disconnected = server.nextDisconnect()
  const client = createClient({ baseUrl: server.baseUrl })
  await client.deleteVoice('Me')
  await disconnected
})

it.each<[string, (response: ServerResponse) => void]>([
  ['breaks off', (response) => response.write('{', () => response.destroy())],
  [
    'is empty although its header says gzip',
    (response) => response.setHeader('content-encoding', 'gzip').end(),
  ],
])('succeeds even if the response %s', async (_how, handler) => {
  const server = await startTestServer(handler)
  const client = createClient({ baseUrl: server.baseUrl })
  await expect(client.deleteVoice('Me')).resolves.toBeUndefined()
  expect(server.requests.length).toBe(1)
})

it('rejects with NOT_FOUND if there is no such voice', async () => {
  const server = await startTestServer((response) => {
    response.writeHead(404).end(JSON.stringify({ code: 5, message: 'unknown voice' }))
  })
  const client = createClient({ baseUrl: server.baseUrl })
  await expect(client.deleteVoice('Me')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it.each([
  ['the connection broke', 'cut', 'a success'],
  ['a gateway timed out', 504, 'a success'],
  ['the service was busy', 429, 'a failure'],
])('after %s (%s), treats NOT_FOUND as %s', async (_why, first, outcome) => {
  let count = 0
  const server = await startTestServer((response) => {
    if (count++ > 0) response.writeHead(404).end('{"code":5,"message":"unknown voice"}')
    else if (first === 'cut') response.destroy()
    else response.writeHead(first as number, { 'retry-after': '0' }).end()
  })
  const client = createClient({ baseUrl: server.baseUrl, maxRetryDelayMs: 1 })
  const attempts: number[] = []
  const onRetry = ({ attempt }: { attempt: number }) => void attempts.push(attempt)
  const removal = client.deleteVoice('Me', { onRetry })
  if (outcome === 'a success') await expect(removal).resolves.toBeUndefined()
  else await expect(removal).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(attempts).toEqual([1])
})

it('rejects with NOT_FOUND if the first attempt did not reach the service', async () => {
  const port = await freePort()
  const back = createServer((_request, response) => void response.writeHead(404).end('{"code":5}'))
  onTestFinished(() => void back.close())
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, maxRetryDelayMs: 50 })
  const onRetry = ({ attempt }: { attempt: number }) => {
    if (attempt === 1) back.listen(port, '127.0.0.1')
  }
  const removal = client.deleteVoice('Typo', { onRetry })
  await expect(removal).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('rejects an id that would address the whole list', async () => {
  const server = await startTestServer((response) => void response.end('{}'))
  const client = createClient({ baseUrl: server.baseUrl })
  await expect(client.deleteVoice('..')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(server.requests).toEqual([])
})
