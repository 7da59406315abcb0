import { describe, expect, it, vi } from 'vitest'
import { audioLine, startLittleServer } from '../../../../../test/support/little-server.ts'
import type { Message } from '../../../../../test/support/node-red.ts'
import { failure, speak, useSpeak } from '../../../../../test/support/speak-flow.ts'

const { loadSpeak } = useSpeak()
const audio = Buffer.alloc(480)

/** A service that gives a chunk to whatever it is asked, and remembers what that was. */
const startSpeaker = (more: object = {}) =>
  startLittleServer((response) => void response.end(audioLine(audio, more)))

type Asked = { text: string; audioConfig: object }
const askedOf = (server: { requests: { body: unknown }[] }) =>
  server.requests.map(({ body }) => body as Asked)

describe('the text', () => {
  it('loses signs, addresses and emoji where the form says so', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { clean: true } })
    await speak(flow, { payload: '**Done** 🎉, see https://example.org [laugh]' })
    expect(askedOf(server)[0]?.text).toBe('Done, see [laugh]')
  })

  it('stays as it is where the form says nothing', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    await speak(flow, { payload: '**Done**' })
    expect(askedOf(server)[0]?.text).toBe('**Done**')
  })

  it.each([
    ['🎉', /nothing-left/],
    ['https://example.org.', /nothing-left/],
    [' \n', /no-text/],
  ])('of which nothing is left is told to Catch: %j', async (payload, message) => {
    const flow = await loadSpeak({ speak: { clean: true } })
    expect(await failure(flow, { payload })).toMatchObject({
      payload,
      error: { code: 'INVALID_INPUT', message: expect.stringMatching(message) },
    })
  })
})

describe('further settings', () => {
  it('are the pace and the language of the form, and what the message adds', async () => {
    const server = await startSpeaker()
    const settings = { speakingRate: '0.8', language: 'de-DE' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, { payload: 'One', speechOptions: { instruction: 'whisper', language: 'fr' } })
    await speak(flow, { payload: 'Two' })
    expect(askedOf(server)).toMatchObject([
      { language: 'fr', instruction: 'whisper', audioConfig: { speakingRate: 0.8 } },
      { language: 'de-DE' },
    ])
    expect(askedOf(server)[1]).not.toHaveProperty('instruction')
  })

  it('are those of the form where the message has only names of them', async () => {
    const server = await startSpeaker()
    const settings = { speakingRate: '0.8', language: 'de-DE', encoding: 'PCM' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, {
      payload: 'One',
      audioConfig: { audioEncoding: undefined, sampleRateHertz: '', speakingRate: null },
      speechOptions: { language: '' },
    })
    await speak(flow, { payload: 'Two', audioConfig: null, speechOptions: undefined })
    const ofTheForm = {
      language: 'de-DE',
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000, speakingRate: 0.8 },
    }
    expect(askedOf(server)).toMatchObject([ofTheForm, ofTheForm])
  })

  it('that the service does not know are told to Catch, and nothing is sent', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const caught = await failure(flow, { payload: 'One', speechOptions: { volume: 11 } })
    expect(caught.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/volume/),
    })
    expect(server.requests).toEqual([])
  })

  it('are those that the form offers first where a flow says nothing', async () => {
    const server = await startSpeaker()
    const settings = { model: undefined, encoding: undefined, sampleRate: undefined }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, { payload: 'One' })
    expect(askedOf(server)).toMatchObject([
      {
        modelId: 'svc-tts-2',
        audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 24_000 },
      },
    ])
  })

  it('are the same for a flow that was saved before there were any', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    await speak(flow, { payload: 'One' })
    expect(askedOf(server)).toEqual([
      {
        text: 'One',
        voiceId: 'Clara',
        modelId: 'svc-tts-2',
        audioConfig: { audioEncoding: 'WAV', sampleRateHertz: 24000 },
      },
    ])
  })

  it('are those of the service where the fields of the node are empty', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({
      baseUrl: server.baseUrl,
      service: { voice: 'Ralph', model: 'svc-tts-2-flash', encoding: 'PCM' },
      speak: { voice: '', model: '', encoding: '' },
    })
    await speak(flow, { payload: 'One' })
    expect(askedOf(server)).toMatchObject([
      { voiceId: 'Ralph', modelId: 'svc-tts-2-flash', audioConfig: { audioEncoding: 'PCM' } },
    ])
  })
})

describe('the times of the words', () => {
  type Timed = Message & { timestamps?: { text: string }[] }

  const timestampInfo = (words: string[], starts: number[]) => ({
    timestampInfo: {
      wordAlignment: {
        words,
        wordStartTimeSeconds: starts,
        wordEndTimeSeconds: starts.map((start) => start + 0.2),
      },
    },
  })

  it('come with their chunk, and all of them with the last message', async () => {
    const server = await startLittleServer((response) => {
      response.write(audioLine(audio, timestampInfo(['Good'], [0])))
      response.write(audioLine(audio))
      response.end(audioLine(Buffer.alloc(0), timestampInfo(['morning'], [0.5])))
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { timestamps: true } })
    const messages = await speak(flow, { payload: 'Good morning' })
    const textsOf = (message: Timed) => message.timestamps?.map(({ text }) => text)
    expect(messages.map(textsOf)).toEqual([['Good'], undefined, ['Good', 'morning']])
    expect(messages.at(-1)).toMatchObject({
      timestamps: [{ startSeconds: 0, endSeconds: 0.2 }, { startSeconds: 0.5 }],
      audio: { bytes: 44 + 2 * audio.length },
    })
    expect(server.requests[0]?.body).toMatchObject({ timestampType: 'WORD' })
  })

  it('are those of one message each: a flow may change them', async () => {
    const server = await startLittleServer((response) => {
      response.write(audioLine(audio, timestampInfo(['Good'], [0])))
      response.end(audioLine(audio, timestampInfo(['morning'], [0.5])))
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { timestamps: true } })
    flow.node('out').on('input', (message) => {
      for (const word of (message as Timed).timestamps ?? []) word.text += '!'
    })
    const messages = await speak(flow, { payload: 'Good morning' })
    const textsOf = (message: Timed) => message.timestamps?.map(({ text }) => text)
    expect(messages.map(textsOf)).toEqual([['Good!'], ['morning!'], ['Good!', 'morning!']])
  })

  it.each(['chunks', 'whole'])('are not those of another sound before it: %s', async (output) => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { output } })
    const timestamps = [{ text: 'Bye', startSeconds: 0, endSeconds: 1 }]
    const messages = await speak(flow, { payload: 'Good morning', timestamps })
    expect(messages.map((message) => 'timestamps' in message)).not.toContain(true)
  })
})

describe('msg.audio', () => {
  it('counts the characters, as the service does once it tells', async () => {
    const server = await startSpeaker({ usage: { processedCharactersCount: 99 } })
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const messages = await speak(flow, { payload: 'Hello' })
    expect(messages.at(-1)).toMatchObject({ audio: { characters: 99 } })
  })
})

describe('parts of a sequence of texts', () => {
  const part = (payload: string, index: number, more: object = {}) => ({
    payload,
    parts: { id: 'answer', type: 'string', ch: ' ', index, ...more },
  })

  it('are spoken in order though the node speaks messages beside each other', async () => {
    const flow = await loadSpeak({ speak: { busy: 'beside', output: 'whole' } })
    const texts = ['One is a rather long sentence that takes its time to speak.', 'Two.', 'Three.']
    for (const [index, text] of texts.entries()) {
      flow.node('speak').receive({ ...part(text, index), topic: text })
    }
    const messages = await flow.waitFor('out', 3)
    expect(messages.map(({ topic }) => topic)).toEqual(texts)
  })

  it('become parts of a sequence of Buffers, and a join makes one Buffer of them', async () => {
    const server = await startSpeaker()
    // Files with a head that says their length, such as WAV, do not join to one.
    const settings = { output: 'whole', encoding: 'PCM' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, part('One.', 0))
    await speak(flow, part('Two.', 1))
    const end = { ...part('', 2, { count: 3 }), complete: true }
    await speak(flow, end)
    const [joined] = await flow.waitFor('joined', 1)
    expect(joined).toMatchObject({ payload: { length: 2 * audio.length } })
    expect(server.requests.length).toBe(2)
  })

  it('end with an empty sequence of their own where each text becomes chunks', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const end = { ...part('', 2, { count: 3 }), complete: true }
    const [message] = await speak(flow, end)
    expect(message).toMatchObject({
      payload: Buffer.alloc(0),
      complete: true,
      parts: { type: 'buffer', index: 0, count: 1, parts: { id: 'answer', index: 2, count: 3 } },
    })
    expect(server.requests).toEqual([])
  })

  it.each(['whole', 'chunks'])('are joined though some say nothing: %s', async (output) => {
    const server = await startSpeaker()
    const settings = { output, encoding: 'PCM', clean: true }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    const texts = ['Well done.', ' ', '🎉', 'See:', '<https://example.org>.']
    for (const [index, text] of texts.entries()) {
      await speak(flow, part(text, index, index === 4 ? { count: 5 } : {}))
    }
    if (output === 'chunks') {
      // The chunks of each text first, and then the texts.
      for (const text of await flow.waitFor('joined', 5)) flow.node('join').receive({ ...text })
    }
    await vi.waitFor(() =>
      expect(flow.received('joined').at(-1)).toMatchObject({
        payload: { length: 2 * audio.length },
      }),
    )
    expect(server.requests.length).toBe(2)
    expect(flow.received('caught')).toEqual([])
  })

  it('that have nothing to say carry no facts of another sound before them', async () => {
    const flow = await loadSpeak({ speak: { clean: true } })
    const before = { audio: { bytes: 7 }, timestamps: [{ text: 'Bye' }] }
    const [silent] = await speak(flow, { ...part('🎉', 0), ...before })
    expect(silent).not.toHaveProperty('audio')
    expect(silent).not.toHaveProperty('timestamps')
  })

  it('are all ended by one msg.stop, also those that are still to come', async () => {
    const server = await startLittleServer((response) => void response.write(audioLine(audio)))
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    flow.node('speak').receive(part('One.', 0))
    flow.node('speak').receive(part('Two.', 1))
    await flow.waitFor('out', 1)
    flow.node('speak').receive({ stop: true })
    flow.node('speak').receive(part('Three.', 2))
    await flow.waitFor('completed', 4)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(server.requests.length).toBe(1)
    expect(flow.received('out').length).toBe(1)
  })

  it('are ended by a msg.stop between two of them, until a whole answer comes again', async () => {
    const server = await startSpeaker()
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { output: 'whole' } })
    await speak(flow, part('One.', 0))
    flow.node('speak').receive({ stop: true })
    flow.node('speak').receive(part('Two.', 1))
    const next = { ...part('New.', 0, { id: 'next', count: 1 }) }
    flow.node('speak').receive(next)
    await flow.waitFor('completed', 4)
    const texts = server.requests.map(({ body }) => (body as { text: string }).text)
    expect(texts).toEqual(['One.', 'New.'])
  })

  it('do not replace a message that came between them', async () => {
    const server = await startSpeaker()
    const settings = { output: 'whole', busy: 'replace' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    await speak(flow, part('One.', 0))
    await speak(flow, part('Two.', 1))
    for (const message of [{ payload: 'The doorbell.' }, part('Three.', 2)]) {
      flow.node('speak').receive(message)
    }
    const messages = await flow.waitFor('out', 3)
    await flow.waitFor('completed', 4)
    expect(messages.length).toBe(3)
    const texts = server.requests.map(({ body }) => (body as { text: string }).text)
    expect(texts).toEqual(['One.', 'Two.', 'The doorbell.'])
  })
})
