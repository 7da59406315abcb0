import { readWavHeader } from '@parlando/core/audio'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { audioLine, startLittleServer } from '../../../../../test/support/little-server.ts'
import { type LoadedFlow, type Message, useNodeRed } from '../../../../../test/support/node-red.ts'

const apiKey = 'a2V5'
const text = 'The laundry is done, and the dishes are clean.'

let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ apiKey })
})
afterAll(() => service.close())

const { load, unload } = useNodeRed()

interface SpeakFlowOptions {
  speak?: object
  baseUrl?: string
  key?: string
}

/** speak → out, and in the same tab a Catch, a Complete and a Join behind speak. */
function loadSpeak({ speak = {}, baseUrl = service.baseUrl, key = apiKey }: SpeakFlowOptions = {}) {
  const flow = [
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
    {
      id: 'speak',
      type: 'parlando-speak',
      z: 'tab',
      service: 'service',
      text: 'payload',
      textType: 'msg',
      voice: 'Clara',
      model: 'svc-tts-2',
      encoding: 'WAV',
      sampleRate: '24000',
      output: 'chunks',
      busy: 'wait',
      wires: [['out', 'join']],
      ...speak,
    },
    { id: 'out', type: 'helper', z: 'tab' },
    { id: 'join', type: 'join', z: 'tab', mode: 'auto', accumulate: true, wires: [['joined']] },
    { id: 'joined', type: 'helper', z: 'tab' },
    { id: 'catch', type: 'catch', z: 'tab', scope: ['speak'], wires: [['caught']] },
    { id: 'caught', type: 'helper', z: 'tab' },
    { id: 'complete', type: 'complete', z: 'tab', scope: ['speak'], wires: [['completed']] },
    { id: 'completed', type: 'helper', z: 'tab' },
  ]
  return load(flow, { service: { apiKey: key } })
}

/** Sends a message and waits until the node is done with it. */
async function speak(flow: LoadedFlow, message: Message): Promise<Message[]> {
  const before = flow.received('completed').length
  flow.node('speak').receive(message)
  await flow.waitFor('completed', before + 1)
  return flow.received('out')
}

async function failure(flow: LoadedFlow, message: Message) {
  const before = flow.received('caught').length
  flow.node('speak').receive(message)
  const caught = await flow.waitFor('caught', before + 1)
  return caught.at(-1) as Message & {
    error: { message: string; code: string; stack?: string; cause: Record<string, unknown> }
  }
}

const lastStatus = (flow: LoadedFlow) => flow.statuses('speak').at(-1)

describe('a message per chunk', () => {
  it('carries parts that count up, and ends with an empty Buffer that counts them', async () => {
    const messages = await speak(await loadSpeak(), {
      payload: text,
      topic: 'laundry',
      _msgid: 'm',
    })
    expect(messages.length).toBeGreaterThan(3)
    const ids = new Set(messages.map(({ parts }) => (parts as { id: string }).id))
    expect(ids.size).toBe(1)
    for (const [index, message] of messages.entries()) {
      const isLast = index === messages.length - 1
      expect(message).toMatchObject({ topic: 'laundry', _msgid: 'm' })
      expect(message.parts).toMatchObject({ index, type: 'buffer' })
      expect(message.payload).toBeInstanceOf(Buffer)
      expect((message.payload as Buffer).length === 0).toBe(isLast)
      expect(message['complete']).toBe(isLast ? true : undefined)
      const { count } = message['parts'] as { count?: number }
      expect(count).toBe(isLast ? messages.length : undefined)
    }
  })

  it('is rebuilt by a core join to one WAV of the length that msg.audio says', async () => {
    const flow = await loadSpeak()
    await speak(flow, { payload: text })
    const [joined] = await flow.waitFor('joined', 1)
    const file = joined!.payload as Buffer
    expect(readWavHeader(file)).toMatchObject({ sampleRateHertz: 24000, channels: 1 })
    const seconds = (file.length - 44) / 2 / 24000
    expect(seconds).toBeGreaterThan(2)
    expect(joined).toMatchObject({
      audio: {
        encoding: 'WAV',
        mediaType: 'audio/wav',
        sampleRateHertz: 24000,
        channels: 1,
        bytes: file.length,
        durationSeconds: expect.closeTo(seconds, 2),
        voiceId: 'Clara',
        modelId: 'svc-tts-2',
        firstAudioMs: expect.any(Number),
        usage: { processedCharactersCount: text.length, modelId: 'svc-tts-2' },
      },
    })
  })

  it('keeps the parts of an outer sequence and a "complete" of before out of the way', async () => {
    const parts = { id: 'outer', index: 2, count: 3, type: 'string' }
    const messages = await speak(await loadSpeak(), { payload: text, parts, complete: true })
    expect(messages.map(({ complete }) => complete).filter(Boolean)).toEqual([true])
    expect(messages.every((message) => (message.parts as { parts: object }).parts)).toBe(true)
    expect(messages.at(-1)).toMatchObject({ parts: { parts }, complete: true })
  })

  it('gives two utterances of one message different sequences', async () => {
    const flow = await loadSpeak()
    await speak(flow, { payload: 'One.', _msgid: 'same' })
    const messages = await speak(flow, { payload: 'Two.', _msgid: 'same' })
    expect(new Set(messages.map(({ parts }) => (parts as { id: string }).id)).size).toBe(2)
  })

  it('shows a blue dot while it works and a green one with duration and first audio', async () => {
    const flow = await loadSpeak()
    await speak(flow, { payload: text })
    expect(flow.statuses('speak')[0]).toMatchObject({ fill: 'blue', shape: 'dot' })
    expect(lastStatus(flow)).toMatchObject({ fill: 'green', shape: 'dot' })
    expect(JSON.stringify(flow.statuses('speak'))).not.toContain('laundry')
  })
})

describe('one message with all', () => {
  it('is the message that came, with a file of the true length and no parts', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    const messages = await speak(flow, { payload: text, topic: 'laundry' })
    expect(messages.length).toBe(1)
    const [message] = messages as [Message]
    const file = message.payload as Buffer
    expect(readWavHeader(file)?.dataBytes).toBe(file.length - 44)
    expect(message).toMatchObject({ topic: 'laundry', audio: { bytes: file.length } })
    expect(message).not.toHaveProperty('parts')
  })

  it('is MP3 of the length that msg.audio says', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole', encoding: 'MP3' } })
    const [mp3] = (await speak(flow, { payload: text })) as [Message]
    const [, wav] = (await speak(flow, {
      payload: text,
      audioConfig: { audioEncoding: 'WAV' },
    })) as [Message, Message]
    const secondsOf = (message: Message) =>
      (message['audio'] as { durationSeconds: number }).durationSeconds
    expect(secondsOf(mp3)).toBeGreaterThan(secondsOf(wav))
    expect(secondsOf(mp3)).toBeLessThan(secondsOf(wav) * 1.1)
  })
})

describe('settings', () => {
  it('come from the message for that message alone', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    await speak(flow, {
      payload: text,
      voiceId: 'Kit',
      modelId: 'svc-tts-2-flash',
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 8000 },
    })
    const messages = await speak(flow, { payload: text })
    expect(messages).toMatchObject([
      {
        audio: {
          voiceId: 'Kit',
          modelId: 'svc-tts-2-flash',
          encoding: 'PCM',
          sampleRateHertz: 8000,
        },
      },
      {
        audio: { voiceId: 'Clara', modelId: 'svc-tts-2', encoding: 'WAV', sampleRateHertz: 24000 },
      },
    ])
  })

  it('take the first voice of the service where none is chosen', async () => {
    const flow = await loadSpeak({ speak: { voice: '' } })
    const [first] = await speak(flow, { payload: 'Hello' })
    expect(first).toMatchObject({ audio: { voiceId: 'Clara' } })
  })

  it.each([
    ['a fixed text', { text: 'Hello there', textType: 'str' }, { payload: 7 }],
    ['an expression', { text: '"Hello " & name', textType: 'jsonata' }, { name: 'you' }],
    ['another property', { text: 'say.this', textType: 'msg' }, { say: { this: 'Hello' } }],
  ])('take the text from %s', async (_what, setting, message) => {
    const flow = await loadSpeak({ speak: { ...setting, output: 'whole' } })
    const messages = await speak(flow, message)
    expect((messages[0]!['audio'] as { durationSeconds: number }).durationSeconds).toBeGreaterThan(
      0.3,
    )
  })

  it('never send a message elsewhere than to the service that was set', async () => {
    const elsewhere = await startLittleServer((response) => void response.end())
    const flow = await loadSpeak()
    await speak(flow, { payload: text, baseUrl: elsewhere.baseUrl, service: 'x', apiKey: 'y' })
    expect(elsewhere.requests).toEqual([])
  })
})

describe('a message from http in', () => {
  it('gets a content type, unless the flow has set one', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    const res = { _res: {} }
    await speak(flow, { payload: 'One', res })
    await speak(flow, { payload: 'Two', res, headers: { 'Content-Type': 'audio/x-mine' } })
    await speak(flow, { payload: 'Three' })
    const headers = flow.received('out').map((message) => message['headers'])
    expect(headers).toEqual([
      { 'content-type': 'audio/wav' },
      { 'Content-Type': 'audio/x-mine' },
      undefined,
    ])
  })
})

describe('when busy', () => {
  const texts = ['One.', 'Two.', 'Three.']
  const topicsOf = (messages: Message[]) => messages.map(({ topic }) => topic)

  /** A service that answers when it is told to. */
  async function slowService() {
    const answers: { end(): void; hasListener: boolean }[] = []
    const server = await startLittleServer((response) => {
      response.write(audioLine(Buffer.alloc(480)))
      const answer = { end: () => void response.end(), hasListener: true }
      response.on('close', () => {
        answer.hasListener = false
      })
      answers.push(answer)
    })
    return { server, answers }
  }

  it('the next message waits, and all come out in order', async () => {
    const flow = await loadSpeak({ speak: { output: 'whole' } })
    for (const payload of texts) flow.node('speak').receive({ payload, topic: payload })
    expect(topicsOf(await flow.waitFor('out', 3))).toEqual(texts)
    await flow.waitFor('completed', 3)
  })

  it('shows how many wait', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    for (const payload of texts) flow.node('speak').receive({ payload })
    await vi.waitFor(() => expect(answers.length).toBe(1))
    answers[0]!.end()
    await vi.waitFor(() => expect(answers.length).toBe(2))
    expect(flow.statuses('speak').some(({ text }) => text?.includes('waiting'))).toBe(true)
  })

  it('the next message runs beside it', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ speak: { busy: 'beside' }, baseUrl: server.baseUrl })
    for (const payload of texts) flow.node('speak').receive({ payload })
    await vi.waitFor(() => expect(answers.length).toBe(3))
    for (const answer of answers) answer.end()
    await flow.waitFor('completed', 3)
  })

  it('the next message replaces it: the old one ends without an error and sends no end', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ speak: { busy: 'replace' }, baseUrl: server.baseUrl })
    flow.node('speak').receive({ payload: 'One.', topic: 'old' })
    await flow.waitFor('out', 1)
    flow.node('speak').receive({ payload: 'Two.', topic: 'new' })
    await vi.waitFor(() => expect(answers.length).toBe(2))
    await vi.waitFor(() => expect(answers[0]!.hasListener).toBe(false))
    answers[1]!.end()
    await flow.waitFor('completed', 2)
    expect(flow.received('caught')).toEqual([])
    const ends = flow.received('out').filter(({ complete }) => complete)
    expect(topicsOf(ends)).toEqual(['new'])
  })

  it('msg.stop ends what runs and drops what waits, and is not passed on', async () => {
    const { server, answers } = await slowService()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    for (const payload of texts) flow.node('speak').receive({ payload })
    await flow.waitFor('out', 1)
    flow.node('speak').receive({ stop: true, payload: 'never spoken' })
    await flow.waitFor('completed', 4)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(answers.length).toBe(1)
    expect(flow.received('out').length).toBe(1)
    expect(flow.received('caught')).toEqual([])
    expect(lastStatus(flow)).toEqual({})
  })

  it('msg.stop on an idle node does nothing, and the next message is spoken', async () => {
    const flow = await loadSpeak()
    await speak(flow, { stop: true })
    expect((await speak(flow, { payload: 'Hello' })).length).toBeGreaterThan(1)
  })
})

describe('what goes wrong', () => {
  it.each([
    ['no text', { payload: '' }, {}, 'INVALID_INPUT', /no-text/],
    ['only spaces', { payload: ' \n' }, {}, 'INVALID_INPUT', /no text/],
    ['a number for text', { payload: 21.5 }, {}, 'INVALID_INPUT', /not-text/],
    ['a Buffer for text', { payload: Buffer.from('x') }, {}, 'INVALID_INPUT', /not-text/],
    ['an object for text', { payload: { a: 1 } }, {}, 'INVALID_INPUT', /not-text/],
    ['a voice that is no text', { payload: text, voiceId: 7 }, {}, 'INVALID_INPUT', /voiceId/],
    [
      'a bad audioConfig',
      { payload: text, audioConfig: 'MP3' },
      {},
      'INVALID_INPUT',
      /audio-config/,
    ],
    ['an unknown voice', { payload: text, voiceId: 'Nobody' }, {}, 'NOT_FOUND', /Nobody.*Clara/],
    [
      'an unknown model',
      { payload: text, modelId: 'none' },
      {},
      'INVALID_ARGUMENT',
      /Unknown model/,
    ],
    ['another script', { payload: '今日は' }, {}, 'INVALID_ARGUMENT', /cannot say/],
    ['a wrong key', { payload: text }, { key: 'd3Jvbmc' }, 'UNAUTHENTICATED', /Check the key/],
    ['no service', { payload: text }, { speak: { service: '' } }, 'INVALID_INPUT', /no-service/],
    ['no address', { payload: text }, { baseUrl: '' }, 'INVALID_INPUT', /no-address/],
    ['a bad address', { payload: text }, { baseUrl: 'speech' }, 'INVALID_INPUT', /baseUrl/],
    [
      'a bad expression',
      {},
      { speak: { text: '$nothing(', textType: 'jsonata' } },
      'INVALID_INPUT',
      /error\.expression/,
    ],
  ])('is told to Catch and shown in red: %s', async (_what, message, options, code, sentence) => {
    const flow = await loadSpeak(options as SpeakFlowOptions)
    const caught = await failure(flow, { topic: 'mine', ...message })
    expect(caught).toMatchObject({
      topic: 'mine',
      ...message,
      error: { code, message: expect.stringMatching(sentence), cause: { retryable: false } },
    })
    expect(caught.error.stack).toBeUndefined()
    expect(lastStatus(flow)).toMatchObject({ fill: 'red', shape: 'ring' })
    expect(flow.received('out')).toEqual([])
    expect(flow.received('completed')).toEqual([])
  })

  it('leaves the node ready for the next message', async () => {
    const flow = await loadSpeak()
    await failure(flow, { payload: '' })
    await failure(flow, { payload: text, voiceId: 'Nobody' })
    await speak(flow, { payload: text })
    expect(lastStatus(flow)).toMatchObject({ fill: 'green' })
  })

  it('tells that nobody answers at the address, and works as soon as somebody does', async () => {
    const server = await startLittleServer(() => {})
    await server.close()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    expect(await failure(flow, { payload: text })).toMatchObject({
      error: { code: 'NOT_REACHABLE', cause: { retryable: true } },
    })
  })

  const wrongAnswers: [string, string, string][] = [
    ['a line that is not JSON', `${audioLine(Buffer.alloc(480))}<html>\n`, 'BAD_ANSWER'],
    ['an error line', '{"error":{"code":13,"message":"lost"}}\n', 'INTERNAL'],
    ['no audio', '{"result":{}}\n', 'NO_AUDIO'],
  ]
  it.each(wrongAnswers)('tells of %s, and speaks the next message', async (_what, body, code) => {
    let isBad = true
    const server = await startLittleServer((response) => {
      response.end(isBad ? body : audioLine(Buffer.alloc(480)))
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const caught = await failure(flow, { payload: text })
    expect(caught).toMatchObject({ payload: text, error: { code } })
    expect(flow.received('out').some(({ complete }) => complete)).toBe(false)
    isBad = false
    await speak(flow, { payload: text })
    expect(lastStatus(flow)).toMatchObject({ fill: 'green' })
  })

  it('tells of a line over the limit without reading on', async () => {
    const server = await startLittleServer((response) => {
      const more = () => {
        while (response.write(Buffer.alloc(1024 * 1024, 'A')));
        response.once('drain', more)
      }
      more()
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    expect(await failure(flow, { payload: text })).toMatchObject({
      error: { code: 'LINE_TOO_LONG' },
    })
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('tells of a service that dies in the middle, after the chunks that came', async () => {
    const server = await startLittleServer((response) => {
      response.write(audioLine(Buffer.alloc(480)), () => response.destroy())
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const caught = await failure(flow, { payload: text })
    expect(caught).toMatchObject({
      payload: text,
      error: { code: 'CONNECTION_LOST', cause: { retryable: true } },
    })
    expect(flow.received('out').length).toBe(1)
    expect(flow.received('completed')).toEqual([])
  })

  it('never tells the key', async () => {
    const flow = await loadSpeak({ key: 'd3Jvbmc' })
    const caught = await failure(flow, { payload: text })
    expect(JSON.stringify([caught, flow.statuses('speak')])).not.toContain('d3Jvbmc')
  })
})

describe('a deploy while speaking', () => {
  it('closes the connection, clears the status, sends nothing more and speaks again after', async () => {
    const server = await startLittleServer((response) => {
      response.write(audioLine(Buffer.alloc(480)))
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    for (const payload of ['One.', 'Two.']) flow.node('speak').receive({ payload })
    await flow.waitFor('out', 1)
    const shown: unknown[] = []
    flow.node('speak').status = (status: unknown) => void shown.push(status)
    await unload()
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(shown.at(-1)).toEqual({})
    expect(server.requests.length).toBe(1)
    expect(flow.received('out').length).toBe(1)
    await speak(await loadSpeak(), { payload: text })
  })
})
