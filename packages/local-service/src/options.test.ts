import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import { resolveOptions } from './options.ts'

describe('resolveOptions', () => {
  it('fills in options that are absent or undefined', () => {
    expect(resolveOptions({ port: undefined, maxVoices: 3 })).toEqual({
      host: '127.0.0.1',
      port: 0,
      maxVoices: 3,
      maxWaitingPhrases: 200,
      wyomingAnnounce: false,
      allowOrigins: [],
      trustProxy: [],
      modelAliases: [],
      strict: false,
      logLevel: 'error',
      stopDelayMs: 0,
      stopLimitMs: 5000,
      warmUp: true,
    })
  })

  it.each(['0.0.0.0', '::', '192.168.1.2', 'my-machine', '127.example.org'])(
    'requires a key to listen on %s',
    (host) => {
      expect(() => resolveOptions({ host })).toThrow(`Other machines can reach ${host}: set a key`)
      expect(resolveOptions({ host, apiKey: keys.service })).toMatchObject({ host })
    },
  )

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('requires no key for %s', (host) => {
    expect(resolveOptions({ host })).toMatchObject({ host })
  })
})
