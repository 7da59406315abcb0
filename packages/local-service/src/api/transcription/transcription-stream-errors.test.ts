import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import {
  chunks,
  closeStream,
  config,
  endTurn,
  manual,
  silence,
  summary,
  useTestTranscription,
  voice,
} from '@parlando/test-support/local-service/clients/transcription-stream'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../../errors/engine-error.ts'

const service = useTestTranscription()

/** Stops this thread, in which client and service run. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('a stream is rejected', () => {
  const invalid = 3
  it.each<[string, (object | string)[], number, RegExp]>([
    [
      'audio before the config',
      chunks(silence(100)),
      invalid,
      /first message must have transcribeConfig/,
    ],
    ['two configs', [config, config], invalid, /only the first message/],
    ['a message that is not JSON', ['{'], invalid, /^The message is not JSON/],
    ['an empty message', [''], invalid, /not JSON/],
    ['a list', ['[]'], invalid, /object/],
    ['an unknown message', [{ sing: {} }], invalid, /exactly one of/],
    ['two messages in one', [{ ...config, ...endTurn }], invalid, /exactly one of/],
    ['audio that is not base64', [config, { audioChunk: { content: '?' } }], invalid, /not base64/],
    [
      'another encoding',
      [{ transcribeConfig: { audioEncoding: 'MP3' } }],
      invalid,
      /LINEAR16 only, not MP3/,
    ],
    [
      'an unknown model',
      [{ transcribeConfig: { modelId: 'x' } }],
      5,
      /Unknown recogniser model: x/,
    ],
    [
      'an unknown language',
      [{ transcribeConfig: { language: 'fi' } }],
      invalid,
      /this service does not understand fi/,
    ],
    ['deep nesting', ['['.repeat(50) + ']'.repeat(50)], invalid, /nests deeper/],
  ])('for %s', async (_name, messages, code, message) => {
    const client = await service.connect()
    client.send(...messages)
    expect(await client.closed).toBe(1008)
    expect(client.received).toEqual([
      { error: { code, message: expect.stringMatching(message), details: [] } },
    ])
    expect(service.recogniser.requests).toEqual([])
  })

  it('for a binary message', async () => {
    const client = await service.connect()
    client.webSocket.send(Buffer.from('{}'))
    expect(await client.closed).toBe(1008)
    expect(JSON.stringify(client.received)).toMatch(/binary; send JSON as text/)
  })

  it('for a message of more than a mebibyte', async () => {
    const client = await service.connect()
    client.send(config, 'x'.repeat(1024 * 1024 + 1))
    expect(await client.closed).toBe(1009)
  })

  it('without a recogniser, with the command that installs one', async () => {
    const client = await service.connect({ recognisers: new Map() })
    client.send(config)
    expect(await client.closed).toBe(1008)
    expect(client.received).toEqual([
      { error: { code: 12, message: expect.stringMatching(/sudo apt install/), details: [] } },
    ])
  })

  it('not for a time in which the service itself could not read', async () => {
    const hasWritten = new Promise<void>((resolve) => {
      service.recogniser.onWork = (work) => (work === 'write' ? resolve() : undefined)
    })
    const client = await service.connect()
    client.send({ transcribeConfig: { vadThreshold: 0, inactivityTimeoutSeconds: 1 } })
    client.send(...chunks(silence(100)))
    await hasWritten
    // After this, the event loop runs timers before it reads.
    await setImmediate()
    client.send(...chunks(silence(100)), closeStream)
    block(1100)
    await client.closed
    expect(summary(client)).toEqual(['final 860 ms', 'usage'])
  })

  it('after the silence that it allows, with the transcript of what was said', async () => {
    const client = await service.connect()
    client.send({ transcribeConfig: { inactivityTimeoutSeconds: 1 } }, ...chunks(voice(1000)))
    expect(await client.closed).toBe(1008)
    expect(summary(client)).toEqual([
      'speechStarted',
      'speechStopped',
      'final 1660 ms',
      'usage',
      'error: The client sent no message for 1 s',
    ])
    expect(client.received.at(-1)).toMatchObject({ error: { code: 4 } })
  })
})

describe('a recogniser that fails', () => {
  const fail = () => {
    throw new EngineError('unavailable', 'The recogniser has stopped')
  }

  it('in the middle of a turn starts again with all of the turn', async () => {
    let writes = 0
    service.recogniser.onWork = (work) => {
      if (work === 'write' && ++writes === 5) fail()
    }
    const client = await service.connect()
    client.send(manual, ...chunks(silence(1000)), closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final 1660 ms', 'usage'])
    expect(service.recogniser.requests).toHaveLength(2)
  })

  it('at the end of a turn starts again with all of the turn', async () => {
    let ends = 0
    service.recogniser.onWork = (work) => {
      if (work === 'end' && ++ends === 1) fail()
    }
    const client = await service.connect()
    client.send(manual, ...chunks(silence(1000)), closeStream)
    await client.closed
    expect(summary(client)).toEqual(['final 1660 ms', 'usage'])
  })

  it('twice ends the stream with an error', async () => {
    service.recogniser.onWork = (work) => {
      if (work === 'write') fail()
    }
    const client = await service.connect()
    client.send(manual, ...chunks(silence(1000)))
    expect(await client.closed).toBe(1011)
    expect(client.received).toEqual([
      { error: { code: 14, message: 'The recogniser has stopped', details: [] } },
    ])
    expect(service.failures.splice(0)).toHaveLength(1)
  })
})

describe('a client that disconnects', () => {
  it.each(['open', 'write', 'end'] as const)('ends the recognition in %s', async (stage) => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    let goOn = () => {}
    const held = new Promise<void>((resolve) => (goOn = resolve))
    service.recogniser.onWork = (work) => {
      if (work !== stage) return
      arrive()
      return held
    }
    const client = await service.connect()
    client.send(manual, ...chunks(silence(500)), endTurn)
    await arrived
    client.webSocket.terminate()
    await expect.poll(() => service.recogniser.requests[0]!.signal.aborted).toBe(true)
    goOn()
    await expect.poll(() => service.recogniser.running).toBe(0)
  })

  it('while it does not read gets no more interim results than fit into a small buffer', async () => {
    const client = await service.connect()
    client.webSocket.pause()
    client.send(manual)
    const second = chunks(silence(100))[0]!
    for (let count = 0; count < 3000; count++) client.send(second)
    await expect.poll(() => client.webSocket.bufferedAmount).toBe(0)
    await wait(100)
    client.webSocket.resume()
    client.send(closeStream)
    await client.closed
    expect(summary(client).at(-1)).toBe('usage')
  })
})
