import { post } from '@parlando/test-support/local-service/test-app'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import { describe, expect, it } from 'vitest'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { createVoiceList } from '../../voices/voice-list.ts'
import { createApp } from '../app/app.ts'

const app = createApp({
  engines: new Map(),
  recognisers: new Map(),
  encoders: createEncoderPool(),
  voiceList: createVoiceList(),
  onFailure(error) {
    throw error
  },
})
const chat = {
  model: 'svc/models/echo',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Is it raining?' },
  ],
}
const send = (more: object = {}) => post(app, '/v1/chat/completions', { ...chat, ...more })

async function completionOf(more: object = {}) {
  const response = await send(more)
  expect(response.status).toBe(200)
  return (await response.json()) as {
    choices: [{ message: { content: string }; finish_reason: string }]
    usage: Record<string, number>
  }
}
const contentOf = async (more: object) => (await completionOf(more)).choices[0].message.content

describe('the built-in echo', () => {
  it('says what it is, repeats the last message of the user and counts words', async () => {
    const started = Math.floor(Date.now() / 1000)
    const completion = await completionOf()
    expect(completion).toEqual({
      id: expect.stringMatching(/^chatcmpl-./),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'svc/models/echo',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content:
              'This is the echo of this device, not a language model. You said: Is it raining?',
            refusal: null,
          },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 16, total_tokens: 21 },
    })
    expect((completion as unknown as { created: number }).created).toBeGreaterThanOrEqual(started)
  })

  it('streams the role, one word at a time, the finish reason, the requested usage and the end', async () => {
    const response = await send({ stream: true, stream_options: { include_usage: true } })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = (await response.text()).split('\n\n')
    expect(events.splice(-2)).toEqual(['data: [DONE]', ''])
    const chunks = events.map((event) => JSON.parse(event.replace(/^data: /, '')))
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    const usage = chunks.pop()
    expect(usage).toMatchObject({ choices: [], usage: { total_tokens: 21 } })
    expect(chunks.every((chunk) => chunk.usage === null)).toBe(true)
    const choices = chunks.map((chunk) => chunk.choices[0])
    expect(choices[0].delta).toEqual({ role: 'assistant', content: '' })
    expect(choices.at(-1)).toMatchObject({ delta: {}, finish_reason: 'stop' })
    const words = choices.slice(1, -1).map(({ delta }) => delta.content)
    expect(words.length).toBe(16)
    expect(words.join('')).toBe(await contentOf({}))
  })

  it('omits the usage from a stream unless the request asks for it', async () => {
    expect(await (await send({ stream: true })).text()).not.toContain('usage')
  })

  it('stops at the word limit with the finish reason length', async () => {
    for (const limit of [{ max_tokens: 3 }, { max_completion_tokens: 3, max_tokens: 9 }]) {
      const { choices, usage } = await completionOf(limit)
      expect(choices[0]).toMatchObject({
        message: { content: 'This is the' },
        finish_reason: 'length',
      })
      expect(usage['completion_tokens']).toBe(3)
    }
    const long = { messages: [{ role: 'user', content: 'word '.repeat(5000) }] }
    expect((await completionOf(long)).choices[0].finish_reason).toBe('length')
  })

  it('stops before a stop sequence', async () => {
    const { choices } = await completionOf({ stop: ['never', 'device', 'not'] })
    expect(choices[0]).toMatchObject({
      message: { content: 'This is the echo of this' },
      finish_reason: 'stop',
    })
  })

  it('reads text parts, and reports if the user said nothing', async () => {
    const parts = [
      { type: 'text', text: 'Is it' },
      { type: 'text', text: 'raining?' },
    ]
    const content = await contentOf({ messages: [{ role: 'user', content: parts }] })
    expect(content).toMatch(/You said: Is it raining\?$/)
    const none = await contentOf({ messages: [{ role: 'system', content: 'Be brief.' }] })
    expect(none).toMatch(/You said nothing\.$/)
  })

  it.each(['echo', 'auto'])('is also called %s if there is no upstream', async (model) => {
    expect(await contentOf({ model, n: 1, temperature: 0 })).toMatch(/^This is the echo/)
  })

  it.each([
    ['an unknown model', 404, 'not_found', { model: 'svc/models/large' }, /large.*--chat-upstream/],
    [
      'no model',
      400,
      'invalid_argument',
      { model: undefined },
      /^model must be a non-empty string/,
    ],
    [
      'no messages',
      400,
      'invalid_argument',
      { messages: [] },
      /^messages must contain at least one message/,
    ],
    ['several choices', 400, 'unimplemented', { n: 2 }, /does not support n$/],
    [
      'tools',
      400,
      'unimplemented',
      { tools: [{ type: 'function', function: { name: 'rain' } }] },
      /does not support tools$/,
    ],
    ['JSON', 400, 'unimplemented', { response_format: { type: 'json_object' } }, /response_format/],
    ['sound', 400, 'unimplemented', { modalities: ['text', 'audio'] }, /modalities/],
    [
      'a picture',
      400,
      'unimplemented',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      /image_url/,
    ],
  ])('rejects %s', async (_what, status, code, more, message) => {
    const response = await send(more)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringMatching(message),
        type: 'invalid_request_error',
        param: null,
        code,
      },
    })
  })

  it.each([
    ['trailing blanks', ' '.repeat(1_000_000)],
    ['a word', 'a'.repeat(1_000_000)],
    ['short words', 'a '.repeat(500_000)],
  ])('does not hold the event loop with 1 MB of %s', async (_what, content) => {
    const held = await measureHold(() => completionOf({ messages: [{ role: 'user', content }] }))
    expect(held).toBeLessThan(maxHoldMs)
  })

  it('reads at most 1 MiB', async () => {
    const response = await send({ messages: [{ role: 'user', content: 'a'.repeat(1024 * 1024) }] })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('svc/models/echo reads at most 1048576 bytes')
  })

  it.each(['[]', '7', '{'])('rejects the body %s', async (body) => {
    expect((await post(app, '/v1/chat/completions', body)).status).toBe(400)
  })
})
