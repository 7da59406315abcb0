import { describe, expect, it, vi } from 'vitest'
import { ask, chatEvent, startChatServer, useChat } from '../../../../../test/support/chat-flow.ts'
import { startLittleServer } from '../../../../../test/support/little-server.ts'

const { loadChat } = useChat()

const messagesOf = (request: { body: unknown } | undefined) =>
  (request as { body: { messages: object[] } }).body.messages

/** The parts of a message in a sequence that was made of a message in another one. */
type Outer = { parts: { index: number } }

describe('the answer', () => {
  it('is one message with the whole text, and facts beside it', async () => {
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

  it.each(['whole', 'deltas'])('has no reasoning of another one before it: %s', async (output) => {
    const server = await startChatServer('Good morning.')
    const flow = await loadChat(server.baseUrl, { output })
    const messages = await ask(flow, { payload: 'Hello', reasoning: 'Hm.' })
    expect(messages.map((message) => 'reasoning' in message)).not.toContain(true)
  })

  it('has no facts of another one before it, until its own are known', async () => {
    const server = await startChatServer('Good ', 'morning.')
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    const messages = await ask(flow, { payload: 'Hello', chat: { model: 'another' } })
    expect(messages.map((message) => 'chat' in message)).toEqual([false, false, true])
  })

  it('is one message to msg.payload where a flow that was written by hand says nothing', async () => {
    const server = await startChatServer('Good ', 'morning.')
    const nothing = { prompt: undefined, promptType: undefined, output: undefined }
    const flow = await loadChat(server.baseUrl, nothing)
    const messages = await ask(flow, { payload: 'Hello' })
    expect(messages).toMatchObject([{ payload: 'Good morning.' }])
  })

  it('is messages that share nothing: a flow may change the parts of each', async () => {
    const server = await startChatServer('Good ', 'morning.')
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    const outerOf = (message: object) => (message as { parts: Outer }).parts.parts
    flow.node('out').on('input', (message) => {
      outerOf(message).index += 1
    })
    const messages = await ask(flow, { payload: 'Hello', parts: { id: 'outer', index: 0 } })
    expect(messages.map((message) => outerOf(message).index)).toEqual([1, 1, 1])
  })

  it('is a message for each bit, closed by an empty one, and a join makes the text of them', async () => {
    const server = await startChatServer('Good ', 'morning', '.')
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    const messages = await ask(flow, { payload: 'Hello' })
    expect(messages.map(({ payload }) => payload)).toEqual(['Good ', 'morning', '.', ''])
    expect(messages.map(({ complete }) => complete)).toEqual([...Array(3).fill(undefined), true])
    const [joined] = await flow.waitFor('joined', 1)
    expect(joined?.payload).toBe('Good morning.')
  })

  it('is a message for each sentence, as soon as it has ended', async () => {
    let writeRest = () => {}
    const server = await startLittleServer((response) => {
      response.write(chatEvent({ content: 'Dr. Green is here. Please ' }))
      writeRest = () => void response.end(`${chatEvent({ content: 'open.' })}data: [DONE]\n\n`)
    })
    const flow = await loadChat(server.baseUrl, { output: 'sentences' })
    flow.node('chat').receive({ payload: 'Who is it?' })
    const [first] = await flow.waitFor('out', 1)
    expect(first?.payload).toBe('Dr. Green is here.')
    writeRest()
    const messages = await flow.waitFor('out', 3)
    expect(messages.map(({ payload }) => payload)).toEqual([
      'Dr. Green is here.',
      'Please open.',
      '',
    ])
    expect(messages.at(-1)?.['parts']).toMatchObject({ index: 2, count: 3, type: 'string' })
  })
})

describe('the question', () => {
  it('is asked after what was said before on its topic', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl, { system: 'Be brief.' })
    await ask(flow, { payload: 'One?', topic: 'kitchen' })
    await ask(flow, { payload: 'Two?', topic: 'hall' })
    await ask(flow, { payload: 'Three?', topic: 'kitchen' })
    const system = { role: 'system', content: 'Be brief.' }
    expect(messagesOf(server.requests[1])).toEqual([system, { role: 'user', content: 'Two?' }])
    expect(messagesOf(server.requests[2])).toEqual([
      system,
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Three?' },
    ])
  })

  it('stands alone after msg.reset, which is not passed on', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl)
    await ask(flow, { payload: 'One?', topic: 'kitchen' })
    await ask(flow, { reset: true, topic: 'kitchen' })
    await ask(flow, { payload: 'Two?', topic: 'kitchen' })
    expect(messagesOf(server.requests[1])).toEqual([{ role: 'user', content: 'Two?' }])
    expect(flow.received('out').length).toBe(2)
  })

  it('stands alone after msg.reset during an answer, and beside msg.stop', async () => {
    const server = await startLittleServer((response) => {
      response.write(chatEvent({ content: 'Ye' }))
      end = () => void response.end(`${chatEvent({ content: 's.' })}data: [DONE]\n\n`)
    })
    let end = () => {}
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    flow.node('chat').receive({ payload: 'One?' })
    await flow.waitFor('out', 1)
    flow.node('chat').receive({ reset: true })
    end()
    await flow.waitFor('completed', 2)
    flow.node('chat').receive({ payload: 'Two?' })
    await vi.waitFor(() => expect(server.requests.length).toBe(2))
    await vi.waitFor(() => expect(flow.received('out').at(-1)).toMatchObject({ payload: 'Ye' }))
    end()
    await flow.waitFor('completed', 3)
    flow.node('chat').receive({ stop: true, reset: true })
    flow.node('chat').receive({ payload: 'Three?' })
    await vi.waitFor(() => expect(server.requests.length).toBe(3))
    for (const [index, question] of ['One?', 'Two?', 'Three?'].entries()) {
      expect(messagesOf(server.requests[index])).toEqual([{ role: 'user', content: question }])
    }
  })

  it('stands alone after the call of a tool, which only a whole conversation can answer', async () => {
    const call = { index: 0, id: 'c1', function: { name: 'open_door', arguments: '{}' } }
    const server = await startChatServer({ tool_calls: [call] })
    const flow = await loadChat(server.baseUrl)
    const [answer] = await ask(flow, { payload: 'Open the door.' })
    expect(answer).toMatchObject({ chat: { toolCalls: [{ id: 'c1' }] } })
    await ask(flow, { payload: 'And now?' })
    expect(messagesOf(server.requests[1])).toEqual([{ role: 'user', content: 'And now?' }])
  })

  it('may be a conversation of its own, which is not remembered', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl, { system: 'Be brief.' })
    const turns = [
      { role: 'system', content: 'Mine.' },
      { role: 'user', content: 'One?' },
    ]
    await ask(flow, { payload: turns })
    await ask(flow, { payload: 'Two?' })
    expect(messagesOf(server.requests[0])).toEqual(turns)
    expect(messagesOf(server.requests[1]).length).toBe(2)
  })

  it('takes settings from the message for that message alone', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl, { temperature: '0.5' })
    const tools = [{ type: 'function', function: { name: 'open_door' } }]
    const chatOptions = { temperature: 1, max_tokens: 9 }
    await ask(flow, { payload: 'One?', chatModel: 'other', chatOptions, tools })
    await ask(flow, { payload: 'Three?', topic: 'none', chatOptions: { temperature: undefined } })
    // A house is full of messages with a temperature; it is not the model's.
    await ask(flow, { payload: 'Two?', topic: 'new', temperature: 21.5 })
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { model: 'other', temperature: 1, max_tokens: 9, tools },
      { model: 'test/model', temperature: 0.5 },
      { model: 'test/model', temperature: 0.5 },
    ])
    expect(server.requests[1]?.body).not.toHaveProperty('tools')
  })
})

describe('what goes wrong', () => {
  it.each([
    ['no question', '', /no-prompt/],
    ['a number', 7, /not-prompt/],
    ['an array of no messages', [null], /messages/],
  ])('is told to Catch: %s', async (_what, payload, sentence) => {
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

  it('leaves no trace of a failed answer in the conversation', async () => {
    let isBroken = true
    const server = await startLittleServer((response) => {
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

  it('msg.stop ends the answer, closes the connection and sends no end', async () => {
    const server = await startLittleServer((response) => {
      response.write(chatEvent({ content: 'And so on ' }))
    })
    const flow = await loadChat(server.baseUrl, { output: 'deltas' })
    flow.node('chat').receive({ payload: 'Tell me' })
    await flow.waitFor('out', 1)
    await ask(flow, { stop: true })
    await flow.waitFor('completed', 2)
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(flow.received('out').length).toBe(1)
    expect(flow.received('caught')).toEqual([])
  })
})
