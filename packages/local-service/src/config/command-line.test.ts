import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import { type LocalServiceOptions, options as table } from '../options.ts'
import { readCommand, toEnvironment } from './command-line.ts'

function readOptions(args: string[], environment: NodeJS.ProcessEnv = {}): LocalServiceOptions {
  const command = readCommand(table, args, environment)
  return command.action === 'start' ? command.options : {}
}

describe('readCommand', () => {
  it('fills in the defaults in which the command differs from the function', () => {
    const dataFolder = expect.stringMatching(/\.parlando$/)
    expect(readOptions([])).toEqual({ port: 8080, dataFolder, logLevel: 'info' })
  })

  it('reads flags, which override environment variables', () => {
    const environment = { PARLANDO_LOCAL_PORT: '1', PARLANDO_LOCAL_MAX_VOICES: '3' }
    expect(readOptions(['--port', '0'], environment)).toMatchObject({ port: 0, maxVoices: 3 })
  })

  it('treats an empty variable as unset', () => {
    expect(readOptions([], { PARLANDO_LOCAL_API_KEY: '' })).toEqual(readOptions([]))
  })

  it('accepts a list as repeated flags or separated by commas', () => {
    const allowOrigins = ['https://example.org', 'http://localhost:3000']
    const flags = allowOrigins.flatMap((origin) => ['--allow-origin', origin])
    expect(readOptions(flags)).toMatchObject({ allowOrigins })
    const environment = { PARLANDO_LOCAL_ALLOW_ORIGINS: allowOrigins.join(', ') }
    expect(readOptions([], environment)).toMatchObject({ allowOrigins })
  })

  it('accepts a switch without a value, and a variable for it', () => {
    expect(readOptions(['--strict'])).toMatchObject({ strict: true })
    expect(readOptions([], { PARLANDO_LOCAL_STRICT: 'true' })).toMatchObject({ strict: true })
  })

  it('accepts aliases of models', () => {
    const modelAliases = ['tts-1=svc-tts-2', 'fast=svc-tts-2-flash']
    const flags = modelAliases.flatMap((alias) => ['--model-alias', alias])
    expect(readOptions(flags)).toMatchObject({ modelAliases })
  })

  it.each([
    [['--port', '65536'], '--port must be a whole number from 0 to 65535, not "65536"'],
    [['--port', '1e3'], '--port'],
    [['--host', ''], '--host must be a non-empty text'],
    [['--log-level', 'loud'], '--log-level must be one of silent, error'],
    [['--warm-up', 'yes'], '--warm-up must be true or false, not "yes"'],
    [['--upstream', 'ftp://example.org'], '--upstream must be a URL'],
    [['--upstream', 'http://me:secret@example.org'], '--upstream must be a URL'],
    [['--wyoming-recogniser', 'http://example.org'], '--wyoming-recogniser must be an address'],
    [['--allow-origin', 'example.org'], '--allow-origin must be an origin'],
    [['--trust-proxy', '10.0.0.0/33'], '--trust-proxy must be an address'],
    [['--trust-proxy', 'proxy'], '--trust-proxy must be an address'],
    [['--model-alias', 'tts-1'], '--model-alias must be a name and a model, such as'],
    [['--strict', '--strict'], '--strict is given 2 times'],
    [['--port', '1', '--port', '2'], '--port is given 2 times'],
    [['--prot', '1'], "Unknown option '--prot'. Run with --help for the list of options"],
    [['speak'], "'speak'"],
  ])('rejects %j', (args, message) => {
    expect(() => readCommand(table, args, {})).toThrow(message)
  })

  it('never repeats a key', () => {
    const read = () => readOptions([], { PARLANDO_LOCAL_UPSTREAM_KEY: `${keys.upstream} ` })
    expect(read).toThrow(/^PARLANDO_LOCAL_UPSTREAM_KEY must be printable ASCII without spaces$/)
  })

  it('reads the variables that toEnvironment returns', () => {
    const options: Required<LocalServiceOptions> = {
      host: '127.0.0.2',
      port: 1,
      apiKey: keys.service,
      dataFolder: '/tmp/a folder',
      enginesFolder: '/tmp/engines',
      voicesMirror: 'http://nas/voices',
      store: 'redis://localhost:6379',
      maxVoices: 2,
      maxWaitingPhrases: 3,
      agentPort: 9,
      wyomingPort: 10_200,
      wyomingHost: '0.0.0.0',
      wyomingAnnounce: true,
      chatUpstream: 'http://127.0.0.1:11434/v1',
      chatUpstreamKey: keys.upstream,
      upstream: 'https://example.org',
      upstreamKey: keys.typed,
      speechUpstream: 'http://127.0.0.1:8880/v1',
      speechUpstreamKey: keys.typed,
      speechUpstreamModel: 'kokoro',
      speechUpstreamVoices: ['af_heart', 'bf_emma'],
      speechUpstreamRate: 22_050,
      piper: 'http://127.0.0.1:5000',
      wyomingSpeech: 'tcp://192.168.1.5:10200',
      sherpaModels: '/tmp/models',
      wyomingRecogniser: 'tcp://192.168.1.5:10300',
      wyomingWakeWords: 'tcp://192.168.1.5:10400',
      openWakeWords: '/tmp/wake-words',
      transcriptionUpstream: 'http://127.0.0.1:8000/v1',
      transcriptionUpstreamKey: keys.upstream,
      transcriptionUpstreamModel: 'whisper-1',
      allowOrigins: ['https://example.org', '*'],
      trustProxy: ['10.0.0.0/8', '192.168.1.5'],
      modelAliases: ['tts-1=svc-tts-2', 'fast=svc-tts-2-flash'],
      defaultVoice: 'Clara',
      strict: true,
      logLevel: 'debug',
      stopDelayMs: 5,
      stopLimitMs: 4,
      warmUp: false,
    }
    expect(readOptions([], toEnvironment(options))).toEqual(options)
  })
})
