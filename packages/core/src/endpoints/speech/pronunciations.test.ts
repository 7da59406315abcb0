import { startSocketServer } from '@parlando/test-support/servers/socket-server'
import {
  type ClientMessage,
  chunk,
  responding,
  settings,
  startSpeech,
} from '@parlando/test-support/servers/speech-socket-server'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../client.ts'

const pronunciations = [
  { word: 'Nguyen', sayAs: 'win' },
  { word: 'Xiaomi', sayAs: 'shau mee' },
]
const request = { text: 'Nguyen has a Xiaomi, Nguyen.', voiceId: 'Clara' }
const spoken = 'win has a shau mee, win.'
const wordsOf = (texts: readonly string[], first = 0) => ({
  timestampInfo: {
    wordAlignment: {
      words: texts,
      wordStartTimeSeconds: texts.map((_, index) => first + index),
      wordEndTimeSeconds: texts.map((_, index) => first + index + 0.5),
    },
  },
})
const audioContent = Buffer.from('audio').toString('base64')

async function open(...results: object[]) {
  const server = await startTestServer((response) => {
    for (const result of results) response.write(`${JSON.stringify({ result, ...result })}\n`)
    response.end()
  })
  const client = createClient({ baseUrl: server.baseUrl, maxRetries: 0, pronunciations })
  onTestFinished(() => client.close())
  const sent = () => server.requests.map(({ body }) => body as Record<string, unknown>)
  return { client, sent }
}

describe('the pronunciations of a client', () => {
  it('are in the text that it sends', async () => {
    const { client, sent } = await open({ audioContent })
    await client.synthesize(request)
    await client.synthesizeStream(request).collect()
    expect(sent().map(({ text }) => text)).toEqual([spoken, spoken])
  })

  it('are in a text in the format of OpenAI', async () => {
    const server = await startTestServer((response) => void response.end('ID3 audio'))
    const client = createClient({ baseUrl: server.baseUrl, pronunciations })
    onTestFinished(() => client.close())
    await client.synthesizeOpenAi({ input: request.text, voice: 'Clara', model: 'a' }).collect()
    expect(server.requests[0]!.body).toMatchObject({ input: spoken })
  })

  it('are not in its timestamps, which have the words of the request', async () => {
    const { client } = await open({
      audioContent,
      ...wordsOf(['win', 'has', 'a', 'shau', 'mee,', 'win.']),
    })
    const { timestamps } = await client.synthesize({ ...request, timestampType: 'WORD' })
    expect(timestamps!.words).toEqual([
      { text: 'Nguyen', startSeconds: 0, endSeconds: 0.5 },
      { text: 'has', startSeconds: 1, endSeconds: 1.5 },
      { text: 'a', startSeconds: 2, endSeconds: 2.5 },
      { text: 'Xiaomi,', startSeconds: 3, endSeconds: 4.5 },
      { text: 'Nguyen.', startSeconds: 5, endSeconds: 5.5 },
    ])
  })

  it('are not in timestamps whose word continues in the next chunk, or at the end', async () => {
    const { client } = await open(
      { audioContent, ...wordsOf(['win', ' ', 'has', 'ay', 'shau']) },
      { audioContent },
      { audioContent, ...wordsOf([' ', 'mee', ',', 'win'], 5) },
      { audioContent: '', ...wordsOf(['.'], 9) },
    )
    const stream = client.synthesizeStream({ ...request, timestampType: 'WORD' })
    const received: (string | undefined)[] = []
    for await (const { timestamps } of stream) {
      received.push(timestamps?.words.map(({ text }) => text).join('|'))
    }
    expect(received).toEqual(['Nguyen| |has|ay', undefined, 'Xiaomi|,|Nguyen', '.'])
    const cut = await open({ audioContent, ...wordsOf(['win', 'has', 'a', 'shau']) })
    const { timestamps } = await cut.client
      .synthesizeStream({ ...request, timestampType: 'WORD' })
      .collect()
    expect(timestamps!.words.at(-1)).toEqual({ text: 'Xiaomi', startSeconds: 3, endSeconds: 3.5 })
  })

  it('share their time among the characters of the word', async () => {
    const { client } = await open({
      audioContent,
      timestampInfo: {
        characterAlignment: {
          characters: Array.from('win h'),
          characterStartTimeSeconds: [0, 1, 2, 3, 4],
          characterEndTimeSeconds: [1, 2, 3, 4, 5],
        },
      },
    })
    const { timestamps } = await client.synthesize({ ...request, timestampType: 'CHARACTER' })
    expect(timestamps!.characters.slice(4)).toEqual([
      { text: 'e', startSeconds: 2, endSeconds: 2.5 },
      { text: 'n', startSeconds: 2.5, endSeconds: 3 },
      { text: ' ', startSeconds: 3, endSeconds: 4 },
      { text: 'h', startSeconds: 4, endSeconds: 5 },
    ])
  })

  it('are in a text that is spoken while it is written, also if a word arrives in parts', async () => {
    const results = [chunk(100, wordsOf(['win', 'has'])), { contextClosed: {} }]
    const { server, socket } = await startSpeech(responding(...results), { pronunciations })
    const context = socket.context({ ...settings, timestampType: 'WORD' })
    for (const text of ['Ngu', 'yen', ' has', ' a Xiaomi']) context.write(text)
    context.flush()
    context.write('Ngu')
    context.end()
    const { timestamps } = await context.collect()
    expect(timestamps!.words.map(({ text }) => text)).toEqual(['Nguyen', 'has'])
    const messages = server.sockets[0]!.messages as unknown as ClientMessage[]
    const sent = messages.map(
      ({ send_text, flush_context }) => send_text?.text ?? (flush_context && '|') ?? '',
    )
    expect(sent.join('')).toBe('win has a shau mee|Ngu')
  })

  it('are in each text of a context that speaks texts one by one', async () => {
    const { server, socket } = await startSpeech(responding(chunk(100), { contextClosed: {} }), {
      pronunciations,
    })
    const context = socket.context({ ...settings, autoMode: true })
    context.write('Ask Nguyen')
    context.end()
    await context.collect()
    expect(server.sockets[0]!.messages).toContainEqual({
      contextId: 'context-1',
      send_text: { text: 'Ask ' },
    })
    expect(server.sockets[0]!.messages.at(-2)).toEqual({
      contextId: 'context-1',
      send_text: { text: 'win' },
    })
  })

  it('are known to the service that speaks in a conversation', async () => {
    const server = await startSocketServer(responding())
    const client = createClient({ baseUrl: server.baseUrl, pronunciations })
    onTestFinished(() => client.close())
    const conversation = client.realtime({ instructions: 'Hi' })
    onTestFinished(() => conversation.close())
    await expect
      .poll(() => server.sockets[0]?.messages[0])
      .toEqual({
        type: 'session.update',
        session: { type: 'realtime', instructions: 'Hi', providerData: { pronunciations } },
      })
  })

  it.each([
    [[{ word: ' ', sayAs: 'a' }], 'pronunciations.0.word'],
    [[{ word: 'a', sayAs: '' }], 'pronunciations.0.sayAs'],
    [[{ word: 'a'.repeat(129), sayAs: 'a' }], 'pronunciations.0.word'],
    [Array.from({ length: 1001 }, () => ({ word: 'a', sayAs: 'b' })), 'pronunciations'],
  ])('must be words, and not too many: %#', (wrong, named) => {
    expect(() => createClient({ baseUrl: 'http://localhost', pronunciations: wrong })).toThrow(
      named,
    )
  })
})
