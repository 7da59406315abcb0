import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createClient } from '../../client.ts'

const versionOf = async (status: number, body: string) => {
  const server = await startTestServer((response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
  return client.serviceVersion().finally(() => client.close())
}

it('is the one that a local service states', async () => {
  expect(await versionOf(200, '{"status":"ok","version":"0.1.0"}')).toBe('0.1.0')
})

it.each([
  [404, '{"message":"Unknown path"}'],
  [200, '{"status":"ok"}'],
  [200, '{"version":null}'],
])('is undefined for a service that responds with %i and %s', async (status, body) => {
  expect(await versionOf(status, body)).toBeUndefined()
})

it.each([
  [401, '{}', 'UNAUTHENTICATED'],
  [503, '{"status":"stopping","version":"0.1.0"}', 'UNAVAILABLE'],
  [200, '<html>', 'BAD_RESPONSE'],
])('rejects a response with %i and %s', async (status, body, code) => {
  await expect(versionOf(status, body)).rejects.toMatchObject({ code })
})
