import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import type { ChatRequest } from '../wire/chat-completion.ts'

const chat: ChatRequest = { model: 'auto', messages: [{ role: 'user', content: 'Hello' }] }
const speech = { text: 'Hello', voiceId: 'Clara', modelId: 'svc-tts-2' }

it.each<[string, (client: Client) => Promise<unknown>]>([
  ['chat', (client) => client.chat(chat)],
  ['speech', (client) => client.synthesize(speech)],
  ['a list', (client) => client.listVoices()],
])('a call throws the error in a response with status 200: %s', async (_what, call) => {
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
    // An object that cannot be converted to a number.
    [{ code: { toString: {} }, type: 'rate_limit_error', message: 'Nobody' }, { status: 429 }],
    // Names of properties that every object inherits.
    [{ code: 'constructor', type: '__proto__', message: 'Nobody' }, { code: 'UNKNOWN' }],
  ]
  const errors = bodies.map(([error, expected]) => [{ error }, expected] as const)
  const bare = [{ code: 5, message: 'Nobody', details: [] }, { code: 'NOT_FOUND' }] as const
  for (const [body, expected] of [...errors, bare]) {
    const server = await startTestServer((response) => void response.end(JSON.stringify(body)))
    await expect(call(createClient({ baseUrl: server.baseUrl }))).rejects.toMatchObject({
      name: 'ApiError',
      message: expect.stringContaining('Nobody'),
      requestId: expect.any(String),
      ...expected,
    })
  }
})

it('a response whose error is null is a success', async () => {
  const server = await startTestServer((response) => {
    response.end('{"voices":[{"voiceId":"Clara"}],"error":null}')
  })
  const { voices } = await createClient({ baseUrl: server.baseUrl }).listVoices()
  expect(voices).toEqual([{ voiceId: 'Clara' }])
})
