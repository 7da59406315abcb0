import { ask, startChatServer, useChat } from '@parlando/test-support/node-red/flows/chat-flow'
import { chatEvent } from '@parlando/test-support/servers/chat-events'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'

const { loadChat } = useChat()

const messagesOf = (request: { body: unknown } | undefined) =>
  (request as { body: { messages: object[] } }).body.messages

/** The parts of a message in a sequence that is nested in another one. */
type Outer = { parts: { index: number } }

describe('the answer', () => {
  it('is one message with the whole text and its facts', async () => {
    const server = await startChatServer({ reasoning_content: 'Hm.' }, 'Good ', 'morning.')
    const flow = await loadChat(server.baseUrl)
    const messages = await ask(flow, { payload: 'Hello', topic: 'kitchen', mine: 1 })
    expect(messages).toEqual([
      expect.objectContaining({
        payload: 'Good morning.',
        topic: 'kitchen',
        mine: 1,
        reasoning: 'Hm.',
        chat: {
          model: 'test/model',
          finishReason: 'stop',
          usage: expect.objectContaining({ totalTokens: 7 }),
          toolCalls: [],
          firstTextMs: expect.any(Number),
        },
      }),
    ])
    expect(messages[0]).not.toHaveProperty('parts')
    expect(flow.statuses('chat').at(-1)).toMatchObject({ fill: 'green' })
  })

  it.each(['whole', 'deltas'])('has no reasoning of an earlier answer: %s', async (output) => {
    const server = await startChatServer('Good morning.')
    const flow = await loadChat(server.baseUrl, { output })
    const messages = await ask(flow, { payload: 'Hello', reasoning: 'Hm.' })
    expect(messages.map((message) => 'reasoning' in message)).not.toContain(true)
  })

  it('has no facts of an earlier answer', async () => {
    const server = await startChatServer('Good ', 'morning.')
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    const messages = await ask(flow, { payload: 'Hello', chat: { model: 'another' } })
    expect(messages.map((message) => 'chat' in message)).toEqual([false, false, true])
  })

  it('is one message in msg.payload by default in a hand-written flow', async () => {
    const server = await startChatServer('Good ', 'morning.')
    const nothing = { prompt: undefined, promptType: undefined, output: undefined }
    const flow = await loadChat(server.baseUrl, nothing)
    const messages = await ask(flow, { payload: 'Hello' })
    expect(messages).toMatchObject([{ payload: 'Good morning.' }])
  })

  it('is messages without shared objects, so that a flow may change their parts', async () => {
    const server = await startChatServer('Good ', 'morning.')
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    const outerOf = (message: object) => (message as { parts: Outer }).parts.parts
    flow.node('out').on('input', (message) => {
      outerOf(message).index += 1
    })
    const messages = await ask(flow, { payload: 'Hello', parts: { id: 'outer', index: 0 } })
    expect(messages.map((message) => outerOf(message).index)).toEqual([1, 1, 1])
  })

  it('is a message for each piece and an empty final message, which join combines', async () => {
    const server = await startChatServer('Good ', 'morning', '.')
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    const messages = await ask(flow, { payload: 'Hello' })
    expect(messages.map(({ payload }) => payload)).toEqual(['Good ', 'morning', '.', ''])
    expect(messages.map(({ complete }) => complete)).toEqual([...Array(3).fill(undefined), true])
    const [joined] = await flow.waitFor('joined', 1)
    expect(joined?.payload).toBe('Good morning.')
  })

  it('is a message for each sentence as soon as it is complete', async () => {
    let writeRest = () => {}
    const server = await startTestServer((response) => {
      response.write(chatEvent({ content: 'Dr. Green is here. Please ' }))
      writeRest = () => void response.end(`${chatEvent({ content: 'open.' })}data: [DONE]\n\n`)
    })
    const flow = await loadChat(server.baseUrl, { output: 'sentences' })
    flow.node('chat').receive({ payload: 'Who is it?' })
    const [first] = await flow.waitFor('out', 1)
    expect(first?.payload).toBe('Dr. Green is here.')
    writeRest()
    const messages = await flow.waitFor('out', 2)
    expect(messages.map(({ payload }) => payload)).toEqual(['Dr. Green is here.', 'Please open.'])
    expect(messages.at(-1)).toMatchObject({
      complete: true,
      parts: { index: 1, count: 2, type: 'string' },
      chat: { toolCalls: [] },
    })
  })

  it.each([
    ['One. Two.', ['One.', 'Two.']],
    ['One.\n\nTwo.\n\n', ['One.', 'Two.']],
    ['One', ['One']],
    ['', ['']],
  ])('has the last sentence in the final message: %j', async (content, sentences) => {
    const server = await startChatServer(...content)
    const flow = await loadChat(server.baseUrl, { output: 'sentences' })
    const messages = await ask(flow, { payload: 'Who is it?' })
    expect(messages.map(({ payload }) => payload)).toEqual(sentences)
    expect(messages.map(({ complete }) => complete === true)).toEqual(
      sentences.map((_, index) => index === sentences.length - 1),
    )
  })
})

describe('a failure', () => {
  it.each([
    ['no question', '', /no-prompt/],
    ['an object', { text: 'Yes' }, /not-prompt/],
    ['an array of no messages', [null], /messages/],
  ])('reaches Catch: %s', async (_what, payload, sentence) => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl)
    flow.node('chat').receive({ payload })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      payload,
      error: { code: 'INVALID_INPUT', message: expect.stringMatching(sentence) },
    })
    expect(server.requests).toEqual([])
  })

  it('does not change the conversation', async () => {
    let isBroken = true
    const server = await startTestServer((response) => {
      response.write(chatEvent({ content: 'Half an ' }))
      if (isBroken) response.destroy()
      else response.end('data: [DONE]\n\n')
    })
    const flow = await loadChat(server.baseUrl)
    flow.node('chat').receive({ payload: 'One?' })
    await flow.waitFor('caught', 1)
    isBroken = false
    await ask(flow, { payload: 'Two?' })
    expect(messagesOf(server.requests.at(-1))).toEqual([{ role: 'user', content: 'Two?' }])
  })

  it('is not reported when msg.stop closes the connection, and no final message is sent', async () => {
    const server = await startTestServer((response) => {
      response.write(chatEvent({ content: 'And so on ' }))
    })
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    flow.node('chat').receive({ payload: 'Go on' })
    await flow.waitFor('out', 1)
    await ask(flow, { stop: true })
    await flow.waitFor('completed', 2)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(flow.received('out').length).toBe(1)
    expect(flow.received('caught')).toEqual([])
  })
})
