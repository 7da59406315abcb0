import { mcpCommand, startMcpServer } from '@parlando/test-support/mcp/server'
import {
  created,
  done,
  responding,
  sentOf,
  useConverse,
} from '@parlando/test-support/node-red/flows/converse-flow'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import type { SocketServerHandlers } from '@parlando/test-support/servers/socket-server'
import { describe, expect, it, vi } from 'vitest'

const { startConverse } = useConverse()

const callOf = (name: string, json: string, callId = 'c1') => {
  const call = { type: 'function_call', id: 'f1', call_id: callId, name, arguments: json }
  return [
    created,
    { type: 'response.output_item.done', response_id: 'r1', output_index: 0, item: call },
    done({ output: [call] }),
  ]
}
/** A service whose language model calls a tool once. */
function callingOnce(name: string, json: string): SocketServerHandlers {
  let isFirst = true
  return {
    onMessage(socket, message) {
      const events = isFirst ? callOf(name, json) : [created, done()]
      if (message.type === 'response.create') isFirst = false
      responding(...events).onMessage?.(socket, message)
    },
  }
}

const mcpNode = (settings: object) => ({ id: 'mcp', type: 'parlando-mcp-server', ...settings })
const settings = { mcpServer: 'mcp', tools: 'lamp: switches a lamp' }

/** The result that the service has received for the call. */
const resultOf = (messages: unknown[]) =>
  messages.map((message) => (message as { item: { output?: string } }).item.output).find(Boolean)

describe('the tools of an MCP server', () => {
  it.each([
    ['at an address', async () => ({ kind: 'address', address: (await startMcpServer()).baseUrl })],
    ['a program', async () => ({ kind: 'program', command: mcpCommand })],
  ])('are called by the node: %s', async (_name, place) => {
    const { server, flow, receive } = await startConverse(
      callingOnce('echo', '{"text":"Hi"}'),
      settings,
      [mcpNode(await place())],
    )
    receive({ payload: 'Say hi' })
    await vi.waitFor(
      () =>
        expect(resultOf(sentOf(server.sockets[0], 'conversation.item.create'))).toBe('Echo: Hi'),
      20_000,
    )
    const [begin] = sentOf(server.sockets[0], 'session.update') as [
      { session: { tools: object[] } },
    ]
    expect(begin.session.tools).toMatchObject([
      { name: 'lamp' },
      ...Array(9).fill({ type: 'function' }),
    ])
    await vi.waitFor(() => expect(sentOf(server.sockets[0], 'response.create').length).toBe(2))
    expect(flow.received('tool')).toEqual([])
    receive({ stop: true })
    await flow.waitFor('completed', 1)
  })

  it('do not take the calls of the other tools', async () => {
    const { baseUrl } = await startMcpServer()
    const { flow, receive } = await startConverse(callingOnce('lamp', '{}'), settings, [
      mcpNode({ address: baseUrl }),
    ])
    receive({ payload: 'Lamp' })
    expect(await flow.waitFor('tool', 1)).toMatchObject([{ tool: { name: 'lamp' } }])
    receive({ stop: true })
  })

  it('report a failed call to Catch and to the language model, and the conversation goes on', async () => {
    const { baseUrl } = await startMcpServer()
    const { server, flow, receive } = await startConverse(callingOnce('echo', '{"text'), settings, [
      mcpNode({ address: baseUrl }),
    ])
    receive({ payload: 'Say hi' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught?.['error']).toMatchObject({ message: expect.stringContaining('bad-arguments') })
    await vi.waitFor(() =>
      expect(resultOf(sentOf(server.sockets[0], 'conversation.item.create'))).toContain('failed'),
    )
    receive({ stop: true })
    await flow.waitFor('completed', 1)
  })

  it('are missing while the server is away, and Catch receives why', async () => {
    const { server, flow, receive } = await startConverse(responding(created, done()), settings, [
      mcpNode({ address: unreachableUrl }),
    ])
    receive({ payload: 'Hello' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught?.['error']).toMatchObject({ code: 'NOT_REACHABLE' })
    await vi.waitFor(() => expect(sentOf(server.sockets[0], 'response.create').length).toBe(1))
    receive({ stop: true })
  })

  it('are called in eight responses in a row, and then the model must answer', async () => {
    const { baseUrl } = await startMcpServer()
    let calls = 0
    const { server, receive } = await startConverse(
      {
        onMessage(socket, message) {
          const { response } = message as { response?: { tool_choice?: string } }
          const isLast = response?.tool_choice === 'none'
          const events = isLast ? [created, done()] : callOf('echo', '{"text":"Hi"}', `c${calls}`)
          if (message.type === 'response.create') calls += 1
          responding(...events).onMessage?.(socket, message)
        },
      },
      settings,
      [mcpNode({ address: baseUrl })],
    )
    const requests = () => sentOf(server.sockets[0], 'response.create')
    receive({ payload: 'Say hi' })
    await vi.waitFor(() => expect(requests().length).toBe(9))
    const { response } = requests().at(-1) as { response?: object }
    expect(response).toEqual({ tool_choice: 'none' })
    receive({ payload: 'Again' })
    await vi.waitFor(() => expect(requests().length).toBe(18))
    receive({ stop: true })
  })

  it('must not have the name of another tool', async () => {
    const { baseUrl } = await startMcpServer()
    const { flow, receive } = await startConverse(
      responding(created, done()),
      { ...settings, tools: 'echo: repeats' },
      [mcpNode({ address: baseUrl })],
    )
    receive({ payload: 'Hello' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught?.['error']).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('tools.collision'),
    })
  })
})
