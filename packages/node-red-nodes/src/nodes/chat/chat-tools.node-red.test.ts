import { startMcpServer } from '@parlando/test-support/mcp/server'
import { ask, useChat } from '@parlando/test-support/node-red/flows/chat-flow'
import { sendAndCatch } from '@parlando/test-support/node-red/flows/flow-harness'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import {
  chatEnd,
  chatEvent,
  dataEvent,
  doneEvent,
} from '@parlando/test-support/servers/chat-events'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'

const { loadChat } = useChat()

const toolCall = (name: string, args: object = {}, index = 0) => ({
  index,
  id: `call-${name}`,
  function: { name, arguments: JSON.stringify(args) },
})
const callsTools = (...calls: object[]) =>
  chatEvent({ tool_calls: calls }) +
  chatEvent({}, { finish_reason: 'tool_calls' }) +
  dataEvent({ choices: [], usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 } }) +
  doneEvent
const says = (...texts: string[]) =>
  texts.map((content) => chatEvent({ content })).join('') + chatEnd

/** A language model that responds with these events, one after the other; the last one again and again. */
const startModel = (...responses: string[]) =>
  startTestServer((response) => {
    response.end(responses.length > 1 ? responses.shift() : responses[0])
  })

const mcpNode = (address: string, more: object = {}) => ({
  id: 'mcp',
  type: 'parlando-mcp-server',
  kind: 'address',
  address,
  ...more,
})

async function loadWithTools(model: { baseUrl: string }, chat: object = {}, server: object = {}) {
  const { baseUrl } = await startMcpServer()
  return loadChat(model.baseUrl, { mcpServer: 'mcp', ...chat }, [mcpNode(baseUrl, server)])
}

const bodyOf = (request: { body: unknown } | undefined) => request?.body as Record<string, unknown>

describe('the tools of an MCP server', () => {
  it('are called, and their results are part of the answer', async () => {
    const call = toolCall('echo', { text: 'Hi' })
    const model = await startModel(
      callsTools(call, toolCall('weather_today', {}, 1)),
      says('Done.'),
    )
    const flow = await loadWithTools(model)
    const [answer] = await ask(flow, { payload: 'Say hi' })
    expect(answer).toMatchObject({
      payload: 'Done.',
      chat: { toolCalls: [], usage: { totalTokens: 10 }, turns: [{}, {}, {}] },
    })
    expect(bodyOf(model.requests[0])['tools']).toContainEqual({
      type: 'function',
      function: {
        name: 'weather_today',
        description: 'The tool weather.today.',
        parameters: expect.objectContaining({ type: 'object' }),
      },
    })
    expect(bodyOf(model.requests[1])['messages']).toMatchObject([
      { role: 'user', content: 'Say hi' },
      { role: 'assistant', tool_calls: [{ id: 'call-echo' }, { id: 'call-weather_today' }] },
      { role: 'tool', tool_call_id: 'call-echo', content: 'Echo: Hi' },
      { role: 'tool', tool_call_id: 'call-weather_today', content: 'It rains.' },
    ])
  })

  it('are called between sentences, which are sent at once', async () => {
    const model = await startModel(
      chatEvent({ content: 'Let me look.' }) + callsTools(toolCall('weather_today')),
      says('It ', 'rains.'),
    )
    const flow = await loadWithTools(model, { output: 'sentences' })
    const messages = await ask(flow, { payload: 'Weather?' })
    expect(messages.map(({ payload }) => payload)).toEqual(['Let me look.', 'It rains.'])
  })

  it('are not part of what the conversation remembers', async () => {
    const model = await startModel(callsTools(toolCall('weather_today')), says('It rains.'))
    const flow = await loadWithTools(model)
    await ask(flow, { payload: 'Weather?' })
    await ask(flow, { payload: 'And now?' })
    expect(bodyOf(model.requests[2])['messages']).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'It rains.' },
      { role: 'user', content: 'And now?' },
    ])
  })

  it('leave the calls of other tools to the flow, with the turns so far', async () => {
    const model = await startModel(callsTools(toolCall('weather_today'), toolCall('lamp', {}, 1)))
    const flow = await loadWithTools(model)
    const lamp = { type: 'function', function: { name: 'lamp', parameters: {} } }
    const [answer] = await ask(flow, { payload: 'Lamp, if it rains', tools: [lamp] })
    expect(answer).toMatchObject({
      chat: {
        toolCalls: [{ name: 'lamp', id: 'call-lamp' }],
        turns: [
          { role: 'assistant', tool_calls: [{ id: 'call-weather_today' }, { id: 'call-lamp' }] },
          { role: 'tool', tool_call_id: 'call-weather_today', content: 'It rains.' },
        ],
      },
    })
    expect(model.requests).toHaveLength(1)
  })

  it('are called eight times in a row at most', async () => {
    const model = await startModel(callsTools(toolCall('weather_today')))
    const flow = await loadWithTools(model)
    await ask(flow, { payload: 'Weather?' })
    expect(model.requests).toHaveLength(9)
    expect(bodyOf(model.requests[8])).toMatchObject({ tool_choice: 'none' })
  })

  it.each(['length', 'content_filter'])(
    'are not called by an answer that is cut: %s',
    async (reason) => {
      const cut = { index: 0, id: 'c', function: { name: 'weather_today', arguments: '' } }
      const model = await startModel(
        chatEvent({ content: 'Let me look.', tool_calls: [cut] }) +
          chatEvent({}, { finish_reason: reason }) +
          doneEvent,
      )
      const flow = await loadWithTools(model)
      const [answer] = await ask(flow, { payload: 'Weather?' })
      expect(answer).toMatchObject({
        payload: 'Let me look.',
        chat: { finishReason: reason, toolCalls: [] },
      })
      expect(model.requests).toHaveLength(1)
    },
  )

  it('report their failures to the language model', async () => {
    const broken = { index: 0, id: 'c', function: { name: 'echo', arguments: '{"text' } }
    const model = await startModel(callsTools(broken), says('Sorry.'))
    const flow = await loadWithTools(model)
    const [answer] = await ask(flow, { payload: 'Say hi' })
    expect(answer).toMatchObject({ payload: 'Sorry.' })
    expect(bodyOf(model.requests[1])['messages']).toMatchObject([
      {},
      {},
      { role: 'tool', content: expect.stringContaining('bad-arguments') },
    ])
    expect(flow.received('caught')).toEqual([])
  })

  it('cannot be chosen by a message', async () => {
    const model = await startModel(says('Hello.'))
    const { baseUrl, requests } = await startMcpServer()
    const flow = await loadChat(model.baseUrl, {}, [mcpNode(baseUrl)])
    await ask(flow, { payload: 'Hello', mcpServer: 'mcp' })
    expect(requests).toEqual([])
  })
})

describe('an error', () => {
  it.each([
    ['tools.collision', {}, { name: 'echo' }],
    ['mcp-server.error.missing', { tools: 'light' }, { name: 'lamp' }],
    ['mcp-server.error.missing', { tools: {} }, { name: 'lamp' }],
    ['mcp-server.error.bad-address', { address: [7] }, { name: 'lamp' }],
    ['mcp-server.error.no-command', { kind: 'program', command: 7 }, { name: 'lamp' }],
  ])('says what is wrong with the tools: %s', async (key, server, { name }) => {
    const model = await startModel(says('Hello.'))
    const flow = await loadWithTools(model, {}, server)
    const tools = [{ type: 'function', function: { name } }]
    const caught = await sendAndCatch(flow, 'chat', { payload: 'Hello', tools })
    expect(caught.error).toMatchObject({ code: 'INVALID_INPUT' })
    expect(caught.error.message).toContain(key)
    expect(model.requests).toEqual([])
  })

  it.each(['deleted', 'service'])('says that there is no such server: %s', async (mcpServer) => {
    const model = await startModel(says('Hello.'))
    const flow = await loadChat(model.baseUrl, { mcpServer })
    const caught = await sendAndCatch(flow, 'chat', { payload: 'Hello' })
    expect(caught.error).toMatchObject({ code: 'INVALID_INPUT' })
    expect(caught.error.message).toContain('tools.no-server')
  })

  it('says that the server is away', async () => {
    const model = await startModel(says('Hello.'))
    const flow = await loadChat(model.baseUrl, { mcpServer: 'mcp' }, [mcpNode(unreachableUrl)])
    const caught = await sendAndCatch(flow, 'chat', { payload: 'Hello' })
    expect(caught.error).toMatchObject({ code: 'NOT_REACHABLE', cause: { retryable: true } })
  })

  it('does not contain the key of the server', async () => {
    const model = await startModel(says('Hello.'))
    const { baseUrl } = await startMcpServer(keys.service)
    const flow = await loadChat(model.baseUrl, { mcpServer: 'mcp' }, [mcpNode(baseUrl)], {
      mcp: { key: keys.wrong },
    })
    const caught = await sendAndCatch(flow, 'chat', { payload: 'Hello' })
    expect(caught.error.message).toContain('mcp-server.error.key')
  })
})
