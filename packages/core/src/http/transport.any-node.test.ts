import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { keys } from '@parlando/test-support/secrets/keys'
import { saveRecord } from '@parlando/test-support/secrets/records'
import { failureOf } from '@parlando/test-support/servers/client-failure'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient } from '../client.ts'
import type { DebugEvent } from './trace.ts'

const apiKey = keys.service

describe('request, first byte and end', () => {
  it('are reported to the debug hook without key, query or text', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    const events: DebugEvent[] = []
    const debug = (event: DebugEvent) => void events.push(event)
    const client = createClient({ baseUrl: server.baseUrl, apiKey, debug })
    await client.listVoices({ filter: 'secret' })
    await vi.waitFor(() => expect(events.length).toBe(3))
    expect(events).toMatchObject([
      { type: 'request', what: 'Voice list', method: 'GET', path: '/voices/v1/voices' },
      { type: 'first-byte', status: 200, elapsedMs: expect.any(Number) },
      { type: 'end' },
    ])
    saveRecord('debug events', JSON.stringify(events))
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(new Set(events.map(({ requestId }) => requestId)).size).toBe(1)
  })

  it('are published on the diagnostics channels of undici', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    const paths: string[] = []
    const onRequest = (message: unknown) => {
      paths.push((message as { request: { path: string } }).request.path)
    }
    subscribe('undici:request:create', onRequest)
    onTestFinished(() => void unsubscribe('undici:request:create', onRequest))
    await createClient({ baseUrl: server.baseUrl }).listVoices()
    expect(paths).toEqual(['/voices/v1/voices'])
  })
})

describe('close', () => {
  it('ends running calls and closes every connection', async () => {
    const server = await startTestServer(() => {})
    const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0 })
    const listing = failureOf(client.listVoices())
    while (server.openSockets() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const disconnected = server.nextDisconnect()
    await client.close()
    expect((await listing).code).toBe('NOT_REACHABLE')
    await disconnected
  })
})
