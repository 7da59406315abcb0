import { ask, startChatServer, useChat } from '@parlando/test-support/node-red/flows/chat-flow'
import { chatEvent } from '@parlando/test-support/servers/chat-events'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, vi } from 'vitest'

const { loadChat } = useChat()

const messagesOf = (request: { body: unknown } | undefined) =>
  (request as { body: { messages: object[] } }).body.messages

describe('the question', () => {
  it('is sent with the earlier turns on its topic', async () => {
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

  it('may be the number that an inject node sends', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl)
    await ask(flow, { payload: 1_764_000_000_000 })
    expect(messagesOf(server.requests[0])).toEqual([{ role: 'user', content: '1764000000000' }])
  })

  it('has no earlier turns after msg.reset, which is not passed on', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl)
    await ask(flow, { payload: 'One?', topic: 'kitchen' })
    await ask(flow, { reset: true, topic: 'kitchen' })
    await ask(flow, { payload: 'Two?', topic: 'kitchen' })
    expect(messagesOf(server.requests[1])).toEqual([{ role: 'user', content: 'Two?' }])
    expect(flow.received('out').length).toBe(2)
  })

  it('has no earlier turns after msg.reset of an inject node without a topic, whatever its own topic', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl)
    await ask(flow, { payload: 'One?', topic: 'kitchen' })
    await ask(flow, { reset: true, topic: '' })
    await ask(flow, { payload: 'Two?', topic: 'kitchen' })
    expect(messagesOf(server.requests[1])).toEqual([{ role: 'user', content: 'Two?' }])
  })

  it('has no earlier turns after msg.reset during an answer or together with msg.stop', async () => {
    const server = await startTestServer((response) => {
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

  it('has no turn with a tool call, which needs its result', async () => {
    const call = { index: 0, id: 'c1', function: { name: 'open_door', arguments: '{}' } }
    const server = await startChatServer({ tool_calls: [call] })
    const flow = await loadChat(server.baseUrl)
    const [answer] = await ask(flow, { payload: 'Open the door.' })
    expect(answer).toMatchObject({ chat: { toolCalls: [{ id: 'c1' }] } })
    await ask(flow, { payload: 'And now?' })
    expect(messagesOf(server.requests[1])).toEqual([{ role: 'user', content: 'And now?' }])
  })

  it('has no turn with an empty answer, which many services reject', async () => {
    const server = await startChatServer({ reasoning_content: 'Hm.' })
    const flow = await loadChat(server.baseUrl)
    await ask(flow, { payload: 'One?' })
    await ask(flow, { payload: 'Two?' })
    expect(messagesOf(server.requests[1])).toEqual([{ role: 'user', content: 'Two?' }])
  })

  it('may be a whole conversation, which is not remembered', async () => {
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

  it('takes settings from the message for that message only', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl, { temperature: '0.5' })
    const tools = [{ type: 'function', function: { name: 'open_door' } }]
    const chatOptions = { temperature: 1, max_tokens: 9 }
    await ask(flow, { payload: 'One?', chatModel: 'other', chatOptions, tools })
    await ask(flow, { payload: 'Three?', topic: 'none', chatOptions: { temperature: undefined } })
    // Many home automation messages have a temperature; it must not reach the model.
    await ask(flow, { payload: 'Two?', topic: 'new', temperature: 21.5, chatOptions: '' })
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { model: 'other', temperature: 1, max_tokens: 9, tools },
      { model: 'test/model', temperature: 0.5 },
      { model: 'test/model', temperature: 0.5 },
    ])
    expect(server.requests[1]?.body).not.toHaveProperty('tools')
  })

  it('takes the settings of the form if those of the message are empty', async () => {
    const server = await startChatServer('Yes.')
    const flow = await loadChat(server.baseUrl, { system: 'Be brief.', model: ' test/model ' })
    await ask(flow, { payload: 'One?', chatModel: '', system: '', tools: '' })
    expect(server.requests[0]?.body).toMatchObject({
      model: 'test/model',
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
    })
  })
})
