import { inspect } from 'node:util'
import { keys } from '@parlando/test-support/secrets/keys'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'
import { createClient } from '../client.ts'
import { InputError } from '../errors.ts'
import { resolveOptions } from './client-options.ts'

describe('resolveOptions', () => {
  it('fills in every default', () => {
    expect(resolveOptions({ baseUrl: 'https://speech.example' })).toEqual({
      baseUrl: 'https://speech.example',
      apiKey: '',
      connectTimeoutMs: 10_000,
      firstByteTimeoutMs: 60_000,
      silenceTimeoutMs: 30_000,
      maxLineBytes: 16 * 1024 * 1024,
      maxResponseBytes: 64 * 1024 * 1024,
      maxRetries: 2,
      maxRetryDelayMs: 30_000,
      headers: {},
      allowInsecure: false,
      maxTextCharacters: 2000,
      longText: 'split',
      pronunciations: [],
    })
  })

  it.each(['', 'speech.example', 'ftp://speech.example'])('rejects the address "%s"', (baseUrl) => {
    expect(() => resolveOptions({ baseUrl })).toThrow(InputError)
    expect(() => resolveOptions({ baseUrl })).toThrow(/baseUrl must be an address such as/)
  })

  it('rejects http: to other networks unless it is allowed', () => {
    const baseUrl = 'http://speech.example'
    expect(() => resolveOptions({ baseUrl })).toThrow(/in the clear/)
    expect(resolveOptions({ baseUrl, allowInsecure: true }).baseUrl).toBe(baseUrl)
  })

  it('accepts http: in the local network, and ignores spaces around an address', () => {
    expect(resolveOptions({ baseUrl: ' http://10.1.2.3 ' }).baseUrl).toBe('http://10.1.2.3')
  })

  it.each([
    'https://me:secret@speech.example',
    'https://speech.example?key=secret',
    'https://speech.example#part',
  ])('rejects an address with more than a path, without quoting it: %s', (baseUrl) => {
    expect(() => resolveOptions({ baseUrl })).toThrow(InputError)
    expect(() => resolveOptions({ baseUrl })).not.toThrow(/secret/)
  })

  it('rejects a key that is not valid in a header, without quoting it', () => {
    const options = { baseUrl: 'https://speech.example', apiKey: `${keys.service}\n` }
    expect(() => resolveOptions(options)).toThrow(/apiKey: a key has no spaces/)
    expect(() => resolveOptions(options)).not.toThrow(keys.service)
  })

  it.each([
    'connectTimeoutMs',
    'firstByteTimeoutMs',
    'silenceTimeoutMs',
    'timeoutMs',
    'maxRetryDelayMs',
  ])('limits %s to the longest delay of a timer', (limit) => {
    const baseUrl = 'https://speech.example'
    expect(resolveOptions({ baseUrl, [limit]: 2 ** 31 - 1 })).toMatchObject({
      [limit]: 2 ** 31 - 1,
    })
    expect(() => resolveOptions({ baseUrl, [limit]: 2 ** 31 })).toThrow(InputError)
  })

  it('rejects an unknown option', () => {
    const options = { baseUrl: 'https://speech.example', timeout: 5 }
    expect(() => resolveOptions(options)).toThrow(/timeout/)
  })
})

describe('createClient', () => {
  it('is closed at the end of `await using`', async () => {
    const server = await startTestServer((response) => void response.end('{}'))
    {
      await using client = createClient({ baseUrl: server.baseUrl })
      await client.listVoices()
      expect(server.openSockets()).toBe(1)
    }
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('contains no key when it is inspected or serialised as JSON', async () => {
    const client = createClient({ baseUrl: 'https://speech.example', apiKey: keys.service })
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(
      keys.service,
    )
    await client.close()
  })
})
