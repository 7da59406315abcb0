import { inspect } from 'node:util'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { Agent } from 'undici'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../client.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a given dispatcher', () => {
  it('replaces the proxy, and stays open', async () => {
    const service = await startTestServer((response) => void response.end('{}'))
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1')
    const agent = new Agent()
    onTestFinished(() => agent.destroy())
    const dispatch = vi.spyOn(agent, 'dispatch')
    const client = createClient({
      baseUrl: service.baseUrl.replace('127.0.0.1', '0.0.0.0'),
      allowInsecure: true,
      maxRetries: 0,
      dispatcher: agent,
    })
    onTestFinished(() => client.close())
    await client.listVoices()
    expect(dispatch).toHaveBeenCalledTimes(1)
    await client.close()
    expect(agent).toMatchObject({ closed: false, destroyed: false })
  })

  it('no longer serves a closed client: running and later calls fail', async () => {
    const service = await startTestServer(() => {})
    const agent = new Agent()
    onTestFinished(() => agent.destroy())
    const client = createClient({ baseUrl: service.baseUrl, dispatcher: agent })
    const listing = client.listVoices()
    await vi.waitFor(() => expect(service.requests).toHaveLength(1))
    const closed = {
      code: 'NOT_REACHABLE',
      retryable: false,
      message: 'Voice list failed: the client is closed; make a new one',
    }
    await Promise.all([client.close(), expect(listing).rejects.toMatchObject(closed)])
    await expect(client.listVoices()).rejects.toMatchObject(closed)
    await vi.waitFor(() => expect(service.openSockets()).toBe(0))
    expect(service.requests).toHaveLength(1)
  })

  it('is rejected without a dispatch method', () => {
    const dispatcher = {} as Agent
    expect(() => createClient({ baseUrl: 'https://speech.example', dispatcher })).toThrow(
      'dispatcher must be a Dispatcher of undici',
    )
  })

  it('does not expose the key when the client is inspected', () => {
    const client = createClient({
      baseUrl: 'https://speech.example',
      apiKey: keys.service,
      headers: { 'x-tenant': 'secret-tenant' },
    })
    expect(inspect(client, { depth: 9, showHidden: true })).not.toMatch(/secret-tenant/)
  })
})
