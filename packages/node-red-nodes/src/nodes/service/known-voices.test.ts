import { createClient } from '@parlando/core'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { KnownVoices } from './known-voices.ts'

const { signal } = new AbortController()
const RED = { _: (key: string) => key } as ConstructorParameters<typeof KnownVoices>[0]

/** A service with a voice. @param statuses of its first responses; those after them are 200. */
async function start(...statuses: number[]) {
  const voice = { voiceId: 'Anna', displayName: 'Anna', langCode: 'DE_DE', source: 'SYSTEM' }
  const server = await startTestServer((response) => {
    response.statusCode = statuses.shift() ?? 200
    response.setHeader('content-type', 'application/json')
    const isFound = response.statusCode === 200
    response.end(JSON.stringify(isFound ? voice : { message: 'no' }))
  })
  const client = createClient({ baseUrl: server.baseUrl })
  const voices = new KnownVoices(RED, async () => client)
  return { server, voices, language: () => voices.languageOf('Anna', { signal }) }
}

describe('the language of a voice', () => {
  it('is requested once', async () => {
    const { server, language } = await start()
    expect([await language(), await language()]).toEqual(['DE_DE', 'DE_DE'])
    expect(server.requests).toHaveLength(1)
  })

  it.each([503, 401])('is requested again after the status %i', async (status) => {
    const { language } = await start(status)
    expect([await language(), await language()]).toEqual([undefined, 'DE_DE'])
  })

  it('is unknown for a voice that does not exist, until the service may have other voices', async () => {
    const { server, voices, language } = await start(404)
    expect([await language(), await language()]).toEqual([undefined, undefined])
    expect(server.requests).toHaveLength(1)
    voices.forget()
    expect(await language()).toBe('DE_DE')
  })
})
