import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import {
  hasReferenceClient,
  runReferenceClient,
} from '@parlando/test-support/local-service/wyoming/wyoming-reference-client'
import {
  connectTo,
  startWyoming,
} from '@parlando/test-support/local-service/wyoming/wyoming-service'
import { watchListeningServer } from '@parlando/test-support/watch/listening-server'
import { describe, expect, it } from 'vitest'
import type { AppContext } from '../app/endpoint.ts'

const app = useTestApp()
const start = (context?: Partial<AppContext>) => startWyoming(app, context)

const homeAssistantFormat = { rate: 16_000, width: 2, channels: 1, timestamp: null }

describe('the Wyoming server', () => {
  it('describes its voices and recognisers in every field that the reference client requires', async () => {
    const { server } = await start()
    const client = connectTo(server)
    client.send('describe')
    const { type, data } = (await client.next())!
    expect(type).toBe('info')
    expect(Object.keys(data).sort()).toEqual([
      'asr',
      'handle',
      'intent',
      'mic',
      'snd',
      'tts',
      'wake',
    ])
    const required = {
      name: expect.any(String),
      attribution: { name: expect.any(String), url: expect.any(String) },
      installed: true,
      description: expect.any(String),
      version: expect.any(String),
    }
    const { asr, tts } = data as Record<string, Record<string, unknown>[]>
    expect(tts![0]).toMatchObject({ ...required, supports_synthesize_streaming: true })
    const voices = tts![0]!['voices'] as object[]
    expect(voices).toHaveLength(app.voiceList.list().length)
    expect(voices[0]).toMatchObject({
      ...required,
      name: 'Clara',
      languages: ['en-US'],
      speakers: null,
    })
    const models = [{ ...required, name: 'fake/model', languages: ['en-US'] }]
    expect(asr).toMatchObject([{ ...required, models }])
  })

  it('describes no recogniser if none is installed, and many languages for one that has many', async () => {
    const asrOf = async (context: Partial<AppContext>) => {
      const client = connectTo((await start(context)).server)
      client.send('describe')
      return (await client.next())!.data['asr'] as { models: { languages: string[] }[] }[]
    }
    expect(await asrOf({ recognisers: new Map() })).toEqual([])
    const multilingual = createFakeRecogniser({ langCodes: [] })
    const [program] = await asrOf({ recognisers: new Map([['fake', multilingual]]) })
    expect(program!.models[0]!.languages).toEqual(expect.arrayContaining(['de', 'nl', 'ja']))
  })

  it('transcribes the sound between its start and its end', async () => {
    const { server, recogniser } = await start()
    const client = connectTo(server)
    client.send('transcribe', { language: 'en' })
    client.send('audio-start', homeAssistantFormat)
    for (let count = 0; count < 50; count++) {
      client.send('audio-chunk', homeAssistantFormat, Buffer.alloc(2048, 1))
    }
    client.send('audio-stop', { timestamp: null })
    const event = (await client.next())!
    expect(event).toMatchObject({ type: 'transcript', data: { language: 'en' } })
    // The service adds silence, so that the last word is not lost.
    expect(Number.parseFloat(event.data['text'] as string)).toBeGreaterThanOrEqual(3200)
    expect(recogniser.requests).toMatchObject([{ modelId: 'fake/model', language: 'en' }])
  })

  it('transcribes two sounds of one connection, with the expected words, at other rates', async () => {
    const { server, recogniser } = await start()
    const client = connectTo(server)
    for (const rate of [48_000, 8000]) {
      const format = { rate, width: 2, channels: 2, timestamp: 0 }
      client.send('transcribe', { transcript_names: ['Clara'], transcript_terms: ['lamp'] })
      client.send('audio-start', format)
      client.send('audio-chunk', format, Buffer.alloc(rate * 4, 1))
      client.send('audio-stop', { timestamp: 1000 })
      const { data } = (await client.next())!
      const milliseconds = Number.parseFloat(data['text'] as string)
      expect(milliseconds).toBeGreaterThan(990)
      expect(milliseconds).toBeLessThan(3000)
    }
    expect(recogniser.requests[1]!.prompts).toEqual(['Clara', 'lamp'])
  })

  it('divides sound that is longer than an utterance', async () => {
    const { server, recogniser } = await start()
    const client = connectTo(server)
    client.send('audio-start', homeAssistantFormat)
    client.send('audio-chunk', homeAssistantFormat, Buffer.alloc(45 * 32_000, 1))
    client.send('audio-stop', {})
    const { data } = (await client.next())!
    expect(data['text']).toMatch(/^\d+ ms \d+ ms$/)
    expect(recogniser.requests).toHaveLength(2)
  })

  it('responds to describe and ping while it speaks, and ignores unknown events', async () => {
    const { server } = await start()
    const client = connectTo(server)
    const other = connectTo(server)
    client.send('synthesize', { text: 'The laundry is done. '.repeat(200) })
    await client.readUntil('audio-chunk')
    other.send('describe')
    expect((await other.next())!.type).toBe('info')
    client.send('run-pipeline', { start_stage: 'wake' })
    client.send('ping', { text: 'hello' })
    const untilPong = await client.readUntil('pong')
    expect(untilPong.at(-1)!.data).toEqual({ text: 'hello' })
    expect(untilPong.map(({ type }) => type)).not.toContain('audio-stop')
    client.send('voice-started', { timestamp: 0 })
    client.send('describe')
    await client.readUntil('info')
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['synthesize', { text: 'Hello', voice: { name: 'Nobody' } }, 'Unknown voice: Nobody'],
    [
      'synthesize',
      { text: 'Hello', voice: { language: 'xx' } },
      'no voice of this service speaks xx',
    ],
    ['synthesize', { text: 'Hello', voice: { language: 'x' } }, 'x is not a language code'],
    ['synthesize', { text: '' }, 'must not be empty'],
    ['synthesize', {}, 'text: '],
    ['synthesize', { text: 'x'.repeat(100_001) }, 'more than 100000 characters'],
    ['audio-start', { rate: 16_000, width: 4, channels: 1 }, '16 bits'],
    ['audio-chunk', { rate: 1, width: 2, channels: 1 }, '16 bits'],
  ])(
    'reports an error for %s %j and closes the connection, or Home Assistant would wait for ever',
    async (type, data, message) => {
      const { server, failures } = await start()
      const client = connectTo(server)
      client.send(type, data)
      expect(await client.next()).toMatchObject({
        type: 'error',
        data: { text: expect.stringContaining(message), code: expect.any(String) },
      })
      expect(await client.next()).toBeUndefined()
      expect(failures).toEqual([])
    },
  )

  it('reports the error of a recogniser, and then serves the next connection', async () => {
    const { server, recogniser } = await start()
    const transcribe = () => {
      const client = connectTo(server)
      client.send('transcribe', { language: 'en' })
      client.send('audio-start', homeAssistantFormat)
      client.send('audio-chunk', homeAssistantFormat, Buffer.alloc(32_000, 1))
      client.send('audio-stop', {})
      return client
    }
    recogniser.onWork = () => {
      throw new Error('a secret sentence')
    }
    const failing = transcribe()
    const event = await failing.next()
    expect(event).toMatchObject({ type: 'error', data: { code: 'INTERNAL' } })
    expect(JSON.stringify(event)).not.toContain('secret')
    expect(await failing.next()).toBeUndefined()
    recogniser.onWork = () => {}
    expect(await transcribe().next()).toMatchObject({ type: 'transcript' })
  })

  it('names the command that installs a recogniser', async () => {
    const { server } = await start({ recognisers: new Map() })
    const client = connectTo(server)
    client.send('audio-start', homeAssistantFormat)
    expect(await client.next()).toMatchObject({
      data: { text: expect.stringContaining('sudo apt install pocketsphinx') },
    })
  })

  it('closes the connection of a web page, which sends HTTP', async () => {
    const { server } = await start()
    await expect(
      fetch(server.url.replace('tcp', 'http'), { method: 'POST', body: '{}' }),
    ).rejects.toThrow()
  })

  it('stops the work of a client that disconnects', async () => {
    const { server, recogniser } = await start()
    const client = connectTo(server)
    client.send('audio-start', homeAssistantFormat)
    client.send('audio-chunk', homeAssistantFormat, Buffer.alloc(32_000, 1))
    await expect.poll(() => recogniser.running).toBe(1)
    client.socket.destroy()
    await expect.poll(() => recogniser.running).toBe(0)
  })

  it('reports errors of the listening port, such as too many open files, and serves on', async () => {
    const findServer = watchListeningServer()
    const { server, failures } = await start()
    const client = connectTo(server)
    client.send('ping')
    expect(await client.next()).toMatchObject({ type: 'pong' })
    const error = new Error('accept ENFILE')
    for (let count = 0; count < 2; count++) findServer().emit('error', error)
    expect(failures).toEqual([error, error])
    const next = connectTo(server)
    next.send('ping')
    expect(await next.next()).toMatchObject({ type: 'pong' })
  })

  it('finishes running speech before it stops, and closes idle connections', async () => {
    const { server } = await start()
    const idle = connectTo(server)
    idle.send('ping')
    await idle.next()
    const client = connectTo(server)
    client.send('synthesize', { text: 'The laundry is done.' })
    const spoken = client.readUntil('audio-stop').then((events) => {
      client.socket.end()
      return events
    })
    await expect.poll(() => client.socket.bytesRead).toBeGreaterThan(0)
    await server.drain(20_000)
    expect((await spoken).at(-1)!.type).toBe('audio-stop')
    expect(await idle.next()).toBeUndefined()
    await server.close()
  })
})

// The other tests send the bytes of the reference client, so this one adds nothing where the client is missing.
if (hasReferenceClient) {
  it('serves the reference client of the protocol', async () => {
    const { server } = await start()
    const audio = ['audio-start', 'audio-chunk', 'audio-stop']
    expect(await runReferenceClient(server.url)).toEqual({
      voice: 'Clara',
      whole: [audio, true],
      stream: [[...audio, 'synthesize-stopped'], true],
    })
  })
}
