import {
  lastStatus,
  type SpeakFlowOptions,
  speak,
  speakAndCatch,
  useSpeak,
} from '@parlando/test-support/node-red/flows/speak-flow'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'

const text = 'The laundry is done, and the dishes are clean.'
const { loadSpeak, unload } = useSpeak()

describe('a text in a script that the language of the voice does not use', () => {
  const clara = { voiceId: 'Clara', langCode: 'EN_US' }
  const startService = () =>
    startTestServer((response, { url }) => {
      // This is the response about the list of voices, and about the voice.
      const voices = JSON.stringify({ voices: [clara], ...clara })
      response.end(url?.startsWith('/voices') ? voices : audioLine(Buffer.alloc(480)))
    })

  it.each([
    ['of the default voice', { voice: '' }],
    ['of the form', { language: 'en-US', output: 'whole' }],
  ])('has a yellow status and msg.warning: %s', async (_what, settings) => {
    const server = await startService()
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    const messages = await speak(flow, { payload: 'Привет, как дела?' })
    for (const message of messages) expect(message['warning']).toMatch('speak.warning.script')
    expect(lastStatus(flow)).toMatchObject({
      fill: 'yellow',
      text: expect.stringContaining('status.foreign-script'),
    })
    const next = await speak(flow, { payload: 'Good morning.', warning: 'of an earlier node' })
    expect(next.at(-1)).not.toHaveProperty('warning')
    expect(lastStatus(flow)).toMatchObject({ fill: 'green' })
  })

  it('is recognised for a voice that the form names, whose language is requested once', async () => {
    const server = await startService()
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    let messages: object[] = []
    for (const payload of ['Good morning.', 'Привет!', 'Как дела?']) {
      messages = await speak(flow, { payload })
    }
    const isWarned = messages.map((message) => 'warning' in message)
    expect(isWarned).toEqual([false, false, true, true, true, true])
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'POST'])
  })
})

describe('a warning of the service', () => {
  it.each([
    [
      { code: 'skipped-characters', message: 'It skips a character', characters: '猫' },
      'speech-warning.skipped',
    ],
    [
      { code: 'other-language', message: 'Try add-voice', language: 'de' },
      'speech-warning.language',
    ],
  ])(
    'is in msg.warning of every message, in the language of Node-RED, and makes the status yellow: %o',
    async (warning, key) => {
      const server = await startTestServer((response) => {
        const json = JSON.stringify([warning]).replace('猫', '\\u732b')
        response.setHeader('x-parlando-warnings', json)
        response.end(audioLine(Buffer.alloc(480)))
      })
      const flow = await loadSpeak({ baseUrl: server.baseUrl })
      const messages = await speak(flow, { payload: 'The 猫 is here.' })
      for (const message of messages) {
        expect(message['warning']).toMatch(key)
        expect(message['warning']).not.toMatch(warning.message)
      }
      expect(lastStatus(flow)).toMatchObject({
        fill: 'yellow',
        text: expect.stringContaining('status.not-as-written'),
      })
    },
  )

  it('says that the times of words are missing, although the text is spoken as written', async () => {
    const server = await startTestServer((response) => {
      response.setHeader('x-parlando-warnings', '[{"code":"no-word-times","message":"No times"}]')
      response.end(audioLine(Buffer.alloc(480)))
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: { captions: true } })
    const messages = await speak(flow, { payload: 'The cat is here.' })
    expect(messages.at(-1)!['warning']).toMatch('speech-warning.no-word-times')
    expect(lastStatus(flow)).not.toMatchObject({ fill: 'yellow' })
  })
})

describe('a failure', () => {
  it.each([
    [401, /^Speech rejected \(401/],
    [403, /no-voice-list/],
    [500, /^Speech rejected \(500/],
  ])('of the list of voices is a failure of the speech: %i', async (status, message) => {
    const server = await startTestServer((response) => void response.writeHead(status).end())
    const flow = await loadSpeak({
      baseUrl: server.baseUrl,
      speak: { voice: '' },
      service: { retries: 0 },
    })
    const { error } = await speakAndCatch(flow, { payload: text })
    expect(error.message).toMatch(message)
  })

  it.each([
    ['no text', { payload: '' }, {}, 'INVALID_INPUT', /no-text/],
    ['only spaces', { payload: ' \n' }, {}, 'INVALID_INPUT', /no-text/],
    [
      'no text where it should be',
      {},
      { speak: { text: 'req.body.text' } },
      'INVALID_INPUT',
      /no-text/,
    ],
    ['an array for text', { payload: ['x'] }, {}, 'INVALID_INPUT', /not-text\.array/],
    [
      'a date that does not exist',
      { payload: new Date(Number.NaN) },
      {},
      'INVALID_INPUT',
      /not-text\.object/,
    ],
    ['a Buffer for text', { payload: Buffer.from('x') }, {}, 'INVALID_INPUT', /not-text\.buffer/],
    ['an object for text', { payload: { a: 1 } }, {}, 'INVALID_INPUT', /not-text\.object/],
    ['a voice that is not text', { payload: text, voiceId: 7 }, {}, 'INVALID_INPUT', /voiceId/],
    ['a bad audioConfig', { payload: text, audioConfig: 'MP3' }, {}, 'INVALID_INPUT', /not-object/],
    ['an unknown voice', { payload: text, voiceId: 'Nobody' }, {}, 'NOT_FOUND', /Nobody.*Clara/],
    [
      'an unknown model',
      { payload: text, modelId: 'none' },
      {},
      'INVALID_ARGUMENT',
      /Unknown model/,
    ],
    ['another script', { payload: '今日は' }, {}, 'INVALID_ARGUMENT', /cannot say/],
    ['a wrong key', { payload: text }, { key: keys.wrong }, 'UNAUTHENTICATED', /Check the key/],
    [
      'a deleted service',
      { payload: text },
      { speak: { service: 'deleted' } },
      'INVALID_INPUT',
      /no-service/,
    ],
    [
      'no service but a node',
      { payload: text },
      { speak: { service: 'out' } },
      'INVALID_INPUT',
      /no-service/,
    ],
    [
      'an address that is not text',
      { payload: text },
      { baseUrl: 7 },
      'INVALID_INPUT',
      /not-an-address/,
    ],
    ['a field that is not text', {}, { speak: { text: {} } }, 'INVALID_INPUT', /no-text/],
    [
      'a fixed text that is absent',
      {},
      { speak: { text: undefined, textType: 'str' } },
      'INVALID_INPUT',
      /no-text/,
    ],
    [
      'a variable that is not text',
      {},
      { speak: { text: {}, textType: 'env' } },
      'INVALID_INPUT',
      /no-text/,
    ],
    ['no address', { payload: text }, { baseUrl: '' }, 'INVALID_INPUT', /no-address/],
    ['a bad address', { payload: text }, { baseUrl: 'ftp://a' }, 'INVALID_INPUT', /not-an-address/],
    [
      'a bad expression',
      {},
      { speak: { text: '$nothing(', textType: 'jsonata' } },
      'INVALID_INPUT',
      /error\.expression/,
    ],
  ])('reaches Catch and is shown in red: %s', async (_what, message, options, code, sentence) => {
    const flow = await loadSpeak(options as SpeakFlowOptions)
    const caught = await speakAndCatch(flow, { topic: 'mine', ...message })
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
    await speakAndCatch(flow, { payload: '' })
    await speakAndCatch(flow, { payload: text, voiceId: 'Nobody' })
    await speak(flow, { payload: text })
    expect(lastStatus(flow)).toMatchObject({ fill: 'green' })
  })

  it.each([
    ['speaks', 'Clara'],
    ['looks for the voice of the service', ''],
  ])(
    'shows the retry and the failure of a service that does not respond while it %s',
    async (_what, voice) => {
      const flow = await loadSpeak({ baseUrl: unreachableUrl, speak: { voice } })
      expect(await speakAndCatch(flow, { payload: text })).toMatchObject({
        error: { code: 'NOT_REACHABLE', cause: { retryable: true } },
      })
      const looks = flow.statuses('speak').map(({ fill, shape }) => `${fill} ${shape}`)
      expect(looks).toEqual(['blue dot', 'yellow ring', 'yellow ring', 'red ring'])
    },
  )

  const wrongResponses: [string, string, string][] = [
    ['a line that is not JSON', `${audioLine(Buffer.alloc(480))}<html>\n`, 'BAD_RESPONSE'],
    ['an error line', '{"error":{"code":13,"message":"lost"}}\n', 'INTERNAL'],
    ['no audio', '{"result":{}}\n', 'NO_AUDIO'],
  ]
  it.each(wrongResponses)(
    'reports %s, and the next message is spoken',
    async (_what, body, code) => {
      let isBad = true
      const server = await startTestServer((response) => {
        response.end(isBad ? body : audioLine(Buffer.alloc(480)))
      })
      const flow = await loadSpeak({ baseUrl: server.baseUrl })
      const caught = await speakAndCatch(flow, { payload: text })
      expect(caught).toMatchObject({ payload: text, error: { code } })
      expect(flow.received('out').some(({ complete }) => complete)).toBe(false)
      isBad = false
      await speak(flow, { payload: text })
      expect(lastStatus(flow)).toMatchObject({ fill: 'green' })
    },
  )

  it('reports a line over the limit without reading on', async () => {
    const server = await startTestServer((response) => {
      const more = () => {
        while (response.write(Buffer.alloc(1024 * 1024, 'A')));
        response.once('drain', more)
      }
      more()
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    expect(await speakAndCatch(flow, { payload: text })).toMatchObject({
      error: { code: 'LINE_TOO_LONG' },
    })
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
  })

  it('reports audio that is too large for one message, and suggests chunks', async () => {
    const mebibyte = audioLine(Buffer.alloc(1024 * 1024))
    const server = await startTestServer((response) => {
      let left = 140
      const more = () => {
        while (left-- > 0 && response.write(mebibyte));
        if (left < 0) response.end()
        else response.once('drain', more)
      }
      more()
    })
    const settings = { encoding: 'PCM', output: 'whole' }
    const flow = await loadSpeak({ baseUrl: server.baseUrl, speak: settings })
    expect(await speakAndCatch(flow, { payload: text })).toMatchObject({
      payload: text,
      error: {
        code: 'OUT_OF_RANGE',
        message: expect.stringMatching(/too-large/),
        cause: { retryable: false },
      },
    })
    expect(lastStatus(flow)?.text).toMatch(/cause\.OUT_OF_RANGE/)
    expect(flow.received('out')).toEqual([])
  })

  it('reports a service that crashes, after the chunks that arrived', async () => {
    const server = await startTestServer((response) => {
      response.write(audioLine(Buffer.alloc(480)), () => response.destroy())
    })
    const flow = await loadSpeak({ baseUrl: server.baseUrl })
    const caught = await speakAndCatch(flow, { payload: text })
    expect(caught).toMatchObject({
      payload: text,
      error: { code: 'CONNECTION_LOST', cause: { retryable: true } },
    })
    expect(flow.received('out').length).toBe(1)
    expect(flow.received('completed')).toEqual([])
  })

  it('never contains the key', async () => {
    const flow = await loadSpeak({ key: keys.wrong })
    const caught = await speakAndCatch(flow, { payload: text })
    expect(JSON.stringify([caught, flow.statuses('speak')])).not.toContain(keys.wrong)
  })
})

describe('a deploy while speaking', () => {
  it('closes the connection, clears the status, sends nothing more and speaks again', async () => {
    const server = await startTestServer((response) => {
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
