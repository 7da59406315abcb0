import { sendAndCatch } from '@parlando/test-support/node-red/flows/flow-harness'
import { type ListenFlow, useListen } from '@parlando/test-support/node-red/flows/listen-flow'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'
import { nodeCase } from './listen.test-case.ts'

const { loadListen } = useListen()

const recording = nodeCase.good['payload'] as Buffer
const words = [
  { word: 'good', startTimeMs: 100, endTimeMs: 400, confidence: 0.9 },
  { word: 'morning', startTimeMs: 400, endTimeMs: 900, confidence: 0.8 },
]

/** A service that responds to every recording with this transcript. */
function startService(transcription: object) {
  const body = {
    transcription: { language: 'en-US', confidence: 0.85, ...transcription },
    usage: { transcribedAudioMs: 1200, modelId: 'pocketsphinx/en-us' },
  }
  return startTestServer((response) => void response.end(JSON.stringify(body)))
}

const bodyOf = (server: { requests: { body: unknown }[] }, index = 0) =>
  server.requests[index]!.body as {
    transcribeConfig: Record<string, unknown>
    audioData: { content: string }
  }
const audioOf = (server: Parameters<typeof bodyOf>[0]) =>
  Buffer.from(bodyOf(server).audioData.content, 'base64')

describe('a recording', () => {
  it('becomes its text, with the facts about it', async () => {
    const server = await startService({ transcript: 'good morning', wordTimestamps: words })
    const flow = await loadListen(server.baseUrl)
    const before = { topic: 'hall', command: { name: 'old', slots: {} }, nearest: ['old'] }
    const [message] = await flow.listen({
      payload: recording,
      audio: { encoding: 'WAV' },
      ...before,
    })
    expect(message).toEqual({
      _msgid: expect.any(String),
      topic: 'hall',
      payload: 'good morning',
      transcript: {
        words: [
          { text: 'good', startSeconds: 0.1, endSeconds: 0.4, confidence: 0.9 },
          { text: 'morning', startSeconds: 0.4, endSeconds: 0.9, confidence: 0.8 },
        ],
        confidence: 0.85,
        language: 'en-US',
        durationSeconds: 1.2,
        modelId: 'pocketsphinx/en-us',
        tookMs: expect.any(Number),
      },
    })
    expect(audioOf(server)).toEqual(recording)
    expect(flow.lastStatus()).toMatchObject({
      fill: 'green',
      text: expect.stringMatching(/^listen\.status\.heard/),
    })
  })

  it('without speech becomes an empty text', async () => {
    const server = await startService({ transcript: '' })
    const flow = await loadListen(server.baseUrl)
    expect(await flow.listen({ payload: recording })).toMatchObject([{ payload: '' }])
    expect(flow.lastStatus()?.text).toBe('listen.status.silent')
  })

  it('is transcribed with the settings of the form, which the message overrides', async () => {
    const server = await startService({ transcript: 'good morning' })
    const form = { language: 'en-US', model: ' sherpa/en ', expectedWords: 'Mildred, Zigbee ,' }
    const flow = await loadListen(server.baseUrl, form)
    await flow.listen({ payload: recording })
    await flow.listen({
      payload: recording,
      language: 'de-DE',
      transcriptionModel: 'other',
      prompts: ['Gerda'],
      // A speak node has set this one.
      modelId: 'svc-tts-2',
    })
    expect(bodyOf(server, 0).transcribeConfig).toMatchObject({
      language: 'en-US',
      modelId: 'sherpa/en',
      prompts: ['Mildred', 'Zigbee'],
      includeWordTimestamps: true,
    })
    expect(bodyOf(server, 1).transcribeConfig).toMatchObject({
      language: 'de-DE',
      modelId: 'other',
      prompts: ['Gerda'],
    })
  })

  it('stays an entry of its array', async () => {
    const server = await startService({ transcript: 'good morning' })
    const flow = await loadListen(server.baseUrl)
    const parts = { id: 'a', type: 'array', count: 2, len: 1 }
    flow.node('listen').receive({ payload: recording, parts: { ...parts, index: 0 } })
    flow.node('listen').receive({ payload: recording, parts: { ...parts, index: 1 } })
    const [joined] = await flow.waitFor('joined', 1)
    expect(joined?.payload).toEqual(['good morning', 'good morning'])
  })

  it('may be samples without a header, whose rate the message states', async () => {
    const server = await startService({ transcript: 'good morning' })
    const flow = await loadListen(server.baseUrl)
    const samples = Buffer.alloc(800, 7)
    await flow.listen({ payload: samples, audio: { encoding: 'PCM', sampleRateHertz: 8000 } })
    const wav = audioOf(server)
    expect(wav.subarray(0, 4).toString()).toBe('RIFF')
    expect(wav.readUInt32LE(24)).toBe(8000)
    expect(wav.subarray(44)).toEqual(samples)
  })

  it('may arrive in chunks of a file', async () => {
    const server = await startService({ transcript: 'good morning' })
    const flow = await loadListen(server.baseUrl)
    const parts = { id: 'a', type: 'buffer' }
    const [first, second] = [recording.subarray(0, 1000), recording.subarray(1000)]
    flow.node('listen').receive({ payload: first, topic: 'hall', parts: { ...parts, index: 0 } })
    flow.node('listen').receive({ payload: second, parts: { ...parts, index: 1 } })
    const end = {
      payload: Buffer.alloc(0),
      parts: { ...parts, index: 2, count: 3 },
      complete: true,
    }
    flow.node('listen').receive(end)
    const [message] = await flow.waitFor('out', 1)
    expect(message).toMatchObject({ payload: 'good morning', topic: 'hall' })
    expect(message).not.toHaveProperty('parts')
    expect(message).not.toHaveProperty('complete')
    expect(audioOf(server)).toEqual(recording)
    await flow.waitFor('completed', 3)
  })

  it.each([
    ['a text', { payload: 'hello' }, /speech.not-audio/],
    ['an empty Buffer', { payload: Buffer.alloc(0) }, /speech.empty/],
    ['µ-law', { payload: recording, audio: { encoding: 'MULAW' } }, /speech.telephone/],
    [
      'an impossible rate',
      { payload: Buffer.alloc(80), audio: { encoding: 'PCM', sampleRateHertz: 9 } },
      /speech.not-rate/,
    ],
    [
      'two channels',
      { payload: Buffer.alloc(80), audio: { encoding: 'PCM', channels: 2 } },
      /speech.not-mono/,
    ],
    ['odd expected words', { payload: recording, prompts: [7] }, /listen\.error\.not-prompts/],
  ])('is rejected before the service receives it: %s', async (_what, message, sentence) => {
    const server = await startService({ transcript: 'good morning' })
    const flow = await loadListen(server.baseUrl)
    const caught = await sendAndCatch(flow, 'listen', message)
    expect(caught.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(sentence),
    })
    expect(caught.payload).toEqual(message.payload)
    expect(server.requests).toEqual([])
  })
})

describe('only these sentences', () => {
  const sentences = 'light on: turn on the {room} light\ngood night\n{room} = kitchen, hall'
  const load = (server: { baseUrl: string }): Promise<ListenFlow> =>
    loadListen(server.baseUrl, { output: 'sentences', sentences })

  it('become a command with its name and slots', async () => {
    const sentence = 'turn on the hall light'
    const server = await startService({
      transcript: 'turn on the haul light',
      sentenceMatch: { sentence, nearest: [sentence] },
    })
    const flow = await load(server)
    const [message] = await flow.listen({ payload: recording })
    expect(message).toMatchObject({
      payload: sentence,
      command: { name: 'light on', slots: { room: 'hall' } },
    })
    expect(message).not.toHaveProperty('nearest')
    expect(bodyOf(server).transcribeConfig['sentences']).toEqual([
      'turn on the kitchen light',
      'turn on the hall light',
      'good night',
    ])
    expect(flow.received('not-understood')).toEqual([])
    expect(flow.lastStatus()).toMatchObject({ fill: 'green' })
  })

  it('leave on the second output if none was said, with the nearest ones', async () => {
    const nearest = ['good night', 'turn on the hall light']
    const server = await startService({
      transcript: 'good riddance',
      sentenceMatch: { sentence: null, nearest, reason: 'noise' },
    })
    const flow = await load(server)
    expect(await flow.listen({ payload: recording, command: { name: 'old' } })).toEqual([])
    const [message] = flow.received('not-understood')
    expect(message).toMatchObject({
      payload: 'good riddance',
      nearest,
      transcript: { reason: 'noise' },
    })
    expect(message).not.toHaveProperty('command')
    expect(flow.lastStatus()).toMatchObject({
      fill: 'yellow',
      text: 'listen.status.not-understood',
    })
  })

  it.each([
    ['Good night.', 'good night', 0],
    ['turn on the hobby light', undefined, 1],
  ])('are compared by the node if the service does not: %s', async (transcript, said, missed) => {
    const server = await startService({ transcript })
    const flow = await load(server)
    const [message] = await flow.listen({ payload: recording })
    expect(message?.payload).toBe(said)
    expect(flow.received('not-understood').length).toBe(missed)
  })

  it('may be in the message, as text or as lines', async () => {
    const server = await startService({ transcript: 'open the door' })
    const flow = await load(server)
    await flow.listen({ payload: recording, sentences: ['door: open the {what}', '{what} = door'] })
    const messages = await flow.listen({ payload: recording, sentences: 'open the door' })
    expect(messages.map(({ command }) => command)).toEqual([
      { name: 'door', slots: { what: 'door' } },
      { name: 'open the door', slots: {} },
    ])
  })

  it.each([
    ['a number', 7, /listen\.error\.not-sentences/],
    ['a slot without a list', 'open the {what}', /shared\.sentences\.no-list/],
  ])('are rejected if they are not valid: %s', async (_what, sentences, sentence) => {
    const server = await startService({ transcript: 'open the door' })
    const flow = await load(server)
    const caught = await sendAndCatch(flow, 'listen', { payload: recording, sentences })
    expect(caught.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(sentence),
    })
    expect(server.requests).toEqual([])
  })
})

describe('subtitles', () => {
  it('have the times of the words', async () => {
    const server = await startService({ transcript: 'good morning', wordTimestamps: words })
    const flow = await loadListen(server.baseUrl, { output: 'subtitles' })
    const [message] = await flow.listen({ payload: recording })
    expect(message?.payload).toBe('1\n00:00:00,100 --> 00:00:00,900\ngood morning\n')
  })

  it('need these times', async () => {
    const server = await startService({ transcript: 'good morning' })
    const flow = await loadListen(server.baseUrl, { output: 'subtitles' })
    const caught = await sendAndCatch(flow, 'listen', { payload: recording })
    expect(caught.error.message).toMatch(/listen\.error\.no-times/)
    expect(caught.payload).toEqual(recording)
  })
})

describe('msg.stop', () => {
  it('drops the rest of a recording whose chunks are arriving', async () => {
    const server = await startService({ transcript: 'good morning' })
    const flow = await loadListen(server.baseUrl)
    const chunk = (index: number) => ({
      payload: recording,
      parts: { id: 'a', type: 'buffer', index },
    })
    for (const index of [0, 1]) flow.node('listen').receive(chunk(index))
    flow.node('listen').receive({ stop: true })
    flow.node('listen').receive({ ...chunk(2), complete: true })
    await flow.waitFor('completed', 4)
    await vi.waitFor(() => expect(flow.lastStatus()).toEqual({}))
    expect(server.requests).toEqual([])
    expect(flow.received('caught')).toEqual([])
    expect(flow.received('out')).toEqual([])
  })
})

it('never shows the words in a status, an error or a log', async () => {
  const server = await startService({ transcript: 'xylophone quartz' })
  const flow = await loadListen(server.baseUrl, { output: 'sentences', sentences: 'good night' })
  await flow.listen({ payload: recording })
  expect(flow.received('not-understood')[0]?.payload).toBe('xylophone quartz')
  expect(JSON.stringify(flow.statuses('listen'))).not.toMatch(/xylophone|quartz|night/)
})
