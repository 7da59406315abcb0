import { startTestServer } from '@parlando/test-support/test-server'
import { expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import type { ChatRequest } from '../wire/chat.ts'

const chat: ChatRequest = { model: 'auto', messages: [{ role: 'user', content: 'Hello' }] }
const speech = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }

it.each<[string, (client: Client) => Promise<unknown>]>([
  ['chat', (client) => client.chat(chat)],
  ['speech', (client) => client.synthesize(speech)],
  ['a list', (client) => client.listVoices()],
])('an error that comes with status 200 is what is thrown: %s', async (_what, call) => {
  const bodies: [unknown, object][] = [
    [
      { code: 5, message: 'Nobody', details: [] },
      { code: 'NOT_FOUND', retryable: false },
    ],
    [
      { type: 'rate_limit_error', message: 'Nobody' },
      { status: 429, retryable: true },
    ],
    ['Nobody', { code: 'UNKNOWN' }],
    // Which no number can be made of.
    [{ code: { toString: {} }, type: 'rate_limit_error', message: 'Nobody' }, { status: 429 }],
    // What every object has by this name is no code.
    [{ code: 'constructor', type: '__proto__', message: 'Nobody' }, { code: 'UNKNOWN' }],
  ]
  for (const [error, expected] of bodies) {
    const server = await startTestServer((response) => {
      response.end(JSON.stringify({ error }))
    })
    await expect(call(createClient({ baseUrl: server.baseUrl }))).rejects.toMatchObject({
      name: 'ApiError',
      message: expect.stringContaining('Nobody'),
      requestId: expect.any(String),
      ...expected,
    })
  }
})

it('an answer with an empty error is an answer', async () => {
  const server = await startTestServer((response) => {
    response.end('{"voices":[{"voiceId":"Clara"}],"error":null}')
  })
  const { voices } = await createClient({ baseUrl: server.baseUrl }).listVoices()
  expect(voices).toEqual([{ voiceId: 'Clara' }])
})
