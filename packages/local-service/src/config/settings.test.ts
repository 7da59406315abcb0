import { keys } from '@parlando/test-support/keys'
import { describe, expect, it } from 'vitest'
import { isLoopback, type LocalServiceOptions, resolveOptions } from './options.ts'
import { commandDefaults, readCommand, toEnvironment } from './settings.ts'

describe('readCommand', () => {
  it('has other defaults than the function where a server needs them', () => {
    expect(readCommand([], {}).options).toEqual(commandDefaults)
    expect(commandDefaults.port).toBe(8080)
  })

  it('reads flags, and variables where there is no flag', () => {
    const env = { PARLANDO_LOCAL_PORT: '1', PARLANDO_LOCAL_MAX_VOICES: '3' }
    expect(readCommand(['--port', '0'], env).options).toMatchObject({ port: 0, maxVoices: 3 })
  })

  it('takes an empty variable for none', () => {
    expect(readCommand([], { PARLANDO_LOCAL_API_KEY: '' }).options).toEqual(commandDefaults)
  })

  it('takes a list one by one or parted by commas', () => {
    const allowOrigins = ['https://example.org', 'http://localhost:3000']
    const flags = allowOrigins.flatMap((origin) => ['--allow-origin', origin])
    expect(readCommand(flags, {}).options).toMatchObject({ allowOrigins })
    const env = { PARLANDO_LOCAL_ALLOW_ORIGINS: 'https://example.org, http://localhost:3000' }
    expect(readCommand([], env).options).toMatchObject({ allowOrigins })
  })

  it.each([
    [['--port', '65536'], '--port: a whole number from 0 to 65535 is needed, not "65536"'],
    [['--port', '1e3'], '--port'],
    [['--host', ''], '--host: a text'],
    [['--log-level', 'loud'], '--log-level: one of silent, error'],
    [['--upstream', 'ftp://example.org'], '--upstream: an address'],
    [['--upstream', 'http://me:secret@example.org'], '--upstream: an address'],
    [['--allow-origin', 'example.org'], '--allow-origin: an origin'],
    [['--port', '1', '--port', '2'], '--port: given 2 times'],
    [['--prot', '1'], "Unknown option '--prot'. --help tells what there is"],
    [['speak'], "'speak'"],
  ])('refuses %j', (args, message) => {
    expect(() => readCommand(args, {})).toThrow(message)
  })

  it('never repeats a key', () => {
    const read = () => readCommand([], { PARLANDO_LOCAL_UPSTREAM_KEY: `${keys.upstream} ` })
    expect(read).toThrow(/^PARLANDO_LOCAL_UPSTREAM_KEY: printable ASCII without blanks is needed$/)
  })

  it('reads what toEnvironment wrote', () => {
    const options: Required<LocalServiceOptions> = {
      host: '127.0.0.2',
      port: 1,
      apiKey: keys.service,
      dataFolder: '/tmp/a folder',
      maxVoices: 2,
      maxWaitingPhrases: 3,
      chatUpstream: 'http://127.0.0.1:11434/v1',
      chatUpstreamKey: keys.upstream,
      upstream: 'https://example.org',
      upstreamKey: keys.typed,
      sherpaModels: '/tmp/models',
      allowOrigins: ['https://example.org', '*'],
      logLevel: 'debug',
      stopLimitMs: 4,
    }
    expect(readCommand([], toEnvironment(options)).options).toEqual(options)
  })
})

describe('resolveOptions', () => {
  it('fills what was left out or undefined', () => {
    expect(resolveOptions({ port: undefined })).toMatchObject({ host: '127.0.0.1', port: 0 })
  })

  it.each(['0.0.0.0', '::', '192.168.1.2', 'my-machine', '127.example.org'])(
    'wants a key before it listens at %s',
    (host) => {
      expect(() => resolveOptions({ host })).toThrow(`Others can reach ${host}: set a key`)
      expect(resolveOptions({ host, apiKey: keys.service })).toMatchObject({ host })
    },
  )

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('wants none at %s', (host) => {
    expect(isLoopback(host)).toBe(true)
    expect(resolveOptions({ host })).toMatchObject({ host })
  })
})
