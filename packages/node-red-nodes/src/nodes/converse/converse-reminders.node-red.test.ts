import {
  created,
  done,
  responding,
  sentOf,
  useConverse,
} from '@parlando/test-support/node-red/flows/converse-flow'
import type { ServerSocket } from '@parlando/test-support/servers/socket-server'
import { describe, expect, it, vi } from 'vitest'
import { nodeCase } from './converse.test-case.ts'

// The reminders are kept there.
const { startConverse, deploy } = useConverse()

/** @param before how many responses come before the one with the call. */
const calling = (name: string, values: object, before = 0) => {
  const call = {
    type: 'function_call',
    id: 'f1',
    call_id: 'c1',
    name,
    arguments: JSON.stringify(values),
  }
  const events = [
    created,
    { type: 'response.output_item.done', response_id: 'r1', output_index: 0, item: call },
    done({ output: [call] }),
  ]
  const called = responding(...events)
  const answered = responding(created, done())
  let responses = 0
  return {
    onMessage(socket: ServerSocket, message: { type: string }) {
      // The response goes on with the result of the call.
      if (message.type === 'response.create') responses += 1
      const { onMessage } = responses === before + 1 ? called : answered
      onMessage!(socket, message)
    },
  }
}
const remind = {
  id: 'remind',
  type: 'parlando-remind',
  z: 'tab',
  language: 'en-US',
  wires: [['due'], []],
}
const due = { id: 'due', type: 'helper', z: 'tab' }

type Server = Awaited<ReturnType<typeof startConverse>>['server']

/** The result that the service has received for the call. */
const resultFor = (server: Server) =>
  vi.waitUntil(() =>
    sentOf(server.sockets[0], 'conversation.item.create')
      .map((message) => (message as { item: { output?: string } }).item.output)
      .find(Boolean),
  )

describe('the timers and reminders of a conversation', () => {
  it('are set by the language model, and leave the remind node when they are due', async () => {
    const { server, flow, receive } = await startConverse(
      calling('set_reminder', { when: 'in one second', name: 'tea' }),
      { reminders: true },
      [remind, due],
    )
    receive({ payload: 'A second for the tea' })
    expect(await resultFor(server)).toBe('Tea: 1 second.')
    const [begin] = sentOf(server.sockets[0], 'session.update') as [
      { session: { tools: { name: string }[] } },
    ]
    expect(begin.session.tools.map(({ name }) => name)).toEqual(
      ['set', 'list', 'change', 'cancel'].map((command) => `${command}_reminder`),
    )
    expect(await flow.waitFor('due', 1)).toMatchObject([
      { payload: 'tea', reminder: { event: 'due', name: 'tea' } },
    ])
    expect(flow.received('tool')).toEqual([])
    receive({ stop: true })
    await flow.waitFor('completed', 1)
  })

  it('are set in the remind node that a deploy has put in the place of the earlier one', async () => {
    const { server, flow, receive, nodes } = await startConverse(
      calling('set_reminder', { when: 'in one second', name: 'tea' }, 1),
      { reminders: true },
      [remind, due],
    )
    receive({ payload: 'Hello' })
    await vi.waitFor(() => expect(sentOf(server.sockets[0], 'response.create').length).toBe(1))
    const isRemind = (node: object) => 'id' in node && node.id === remind.id
    await deploy(
      nodes.map((node) => (isRemind(node) ? { ...node, name: 'Timers' } : node)),
      'nodes',
    )
    receive({ payload: 'A second for the tea' })
    expect(await resultFor(server)).toBe('Tea: 1 second.')
    expect(await flow.waitFor('due', 1)).toMatchObject([{ payload: 'tea' }])
    receive({ stop: true })
    await flow.waitFor('completed', 2)
  })

  it('are asked for: how long is left?', async () => {
    const { server, flow, receive } = await startConverse(
      calling('list_reminder', { name: null }),
      { reminders: true },
      [remind, due],
    )
    flow.node('remind').receive({ payload: 'in two hours the cake' })
    receive({ payload: 'How long is left?' })
    expect(await resultFor(server)).toBe('The cake: 2 hours left.')
    flow.node('remind').receive({ stop: true })
    receive({ stop: true })
  })

  it.each([
    ['the same subflow', 'use-inside', [remind, due]],
    ['a subflow, if there is no other', 'converse', []],
  ])('are those of the remind node in %s', async (_where, talker, others) => {
    const inside = { z: 'sub', type: 'parlando-converse', service: 'service', reminders: true }
    const { server, flow } = await startConverse(
      calling('list_reminder', {}),
      { reminders: true },
      [
        { id: 'sub', type: 'subflow', name: 'Talk', in: [], out: [] },
        { ...nodeCase.settings, ...inside, id: 'inside', wires: [[], [], []] },
        { ...remind, id: 'timers', z: 'sub', wires: [[], []] },
        { id: 'use', type: 'subflow:sub', z: 'tab', wires: [] },
        ...others,
      ],
    )
    const [timers, talk] = [flow.node('use-timers'), flow.node(talker)]
    timers.receive({ payload: 'in two hours the cake' })
    talk.receive({ payload: 'How long is left?' })
    expect(await resultFor(server)).toBe('The cake: 2 hours left.')
    timers.receive({ stop: true })
    talk.receive({ stop: true })
  })

  it('tell the language model and Catch what was not understood', async () => {
    const { server, flow, receive } = await startConverse(
      calling('set_reminder', { when: 'when the cows come home' }),
      { reminders: true },
      [remind, due],
    )
    receive({ payload: 'Remind me' })
    expect(await resultFor(server)).toContain('remind.error.not-understood')
    expect(await flow.waitFor('caught', 1)).toMatchObject([{ error: { code: 'INVALID_INPUT' } }])
    receive({ stop: true })
  })

  it('need a remind node, which Catch receives', async () => {
    const { server, flow, receive } = await startConverse(responding(created, done()), {
      reminders: true,
    })
    receive({ payload: 'Hello' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught?.['error']).toMatchObject({ message: expect.stringContaining('no-remind') })
    await vi.waitFor(() => expect(sentOf(server.sockets[0], 'response.create').length).toBe(1))
    receive({ stop: true })
  })
})
