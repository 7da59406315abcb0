import { once } from 'node:events'
import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { keys } from '@parlando/test-support/secrets/keys'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import {
  createFakeSpeaker,
  type FakeSpeaker,
  provideFakeSpeaker,
} from '@parlando/test-support/speakers/fake-speaker'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { abortableDelay } from '../../runtime/wait.ts'
import { nodeCase } from '../announce/announce.test-case.ts'
import { nodeCase as askCase } from '../ask/ask.test-case.ts'

let speaker: FakeSpeaker
/** A speaker of another node, in place of the fake one. */
const radio = { id: 'radio', type: 'parlando-speaker', name: 'Radio', kind: 'another-node' }
let usesRadio = false
const { load, deploy, baseUrl, logged } = useNodeRed({
  afterNodes: () => usesRadio || provideFakeSpeaker(speaker),
})

/** Half a second of speech. */
const spoken = audioLine(Buffer.alloc(24_000, 1))

/** A flow with an access, and two announce nodes, of which one uses it. @param more further nodes. */
async function loadAccess(settings: object = {}, key = keys.service, more: object[] = []) {
  const server = await startTestServer((response) => void response.end(spoken))
  speaker = createFakeSpeaker('kitchen')
  const announce = { z: 'tab', type: 'parlando-announce', service: 'service', ...nodeCase.settings }
  const nodes = [
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl: server.baseUrl },
    { id: 'access', type: 'parlando-mcp-access' },
    {
      ...announce,
      id: 'open',
      name: 'Kitchen speaker',
      mcpAccess: 'access',
      wires: [['said'], ['notSaid'], []],
      ...settings,
    },
    { ...announce, id: 'closed', name: 'Bedroom', wires: [[], [], []] },
    {
      z: 'tab',
      id: 'timers',
      type: 'parlando-remind',
      name: 'Timers',
      mcpAccess: 'access',
      wires: [[], []],
    },
    {
      ...{ z: 'tab', id: 'question', type: 'parlando-ask', service: 'service' },
      ...askCase.settings,
      name: 'Kitchen',
      mcpAccess: 'access',
      wires: [[], ['answeredNo'], [], []],
    },
    { z: 'tab', id: 'answeredNo', type: 'helper' },
    { z: 'tab', id: 'said', type: 'helper' },
    { z: 'tab', id: 'notSaid', type: 'helper' },
    { z: 'tab', id: 'player', type: 'helper' },
    radio,
    ...more,
  ]
  return { ...(await load(nodes, { access: { key } })), nodes }
}

const address = () => `${baseUrl().replace(/\/$/, '')}/parlando/mcp`

async function connect(
  headers: Record<string, string> = { authorization: `Bearer ${keys.service}` },
  mode: 'auto' | 'legacy' = 'auto',
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address()), { requestInit: { headers } }),
  )
  return client
}

/** Resolves when the speaker shows a question, which nobody answers. */
const whenAsked = () =>
  new Promise<void>((resolve) => {
    speaker.driver.display = { showQuestion: () => resolve(), hideQuestion() {}, showHeard() {} }
  })

const textOf = ({ content }: { content: unknown[] }) => (content[0] as { text: string }).text

describe.each(['auto', 'legacy'] as const)(
  'a program with the key, and the protocol %s',
  (mode) => {
    const open = () => connect(undefined, mode)

    it('finds the nodes that choose the access', async () => {
      await loadAccess()
      const { tools } = await (await open()).listTools()
      expect(tools).toMatchObject([
        {
          name: 'announce_kitchen_speaker',
          inputSchema: {
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string' } },
          },
        },
        // A longer sentence is not read.
        { name: 'remind_timers', inputSchema: { properties: { text: { maxLength: 200 } } } },
        { name: 'ask_kitchen' },
      ])
    })

    it('finds the nodes of a subflow once for each instance, and uses them', async () => {
      const instance = { type: 'subflow:sub', z: 'tab', wires: [] }
      await loadAccess({}, keys.service, [
        { id: 'sub', type: 'subflow', name: 'Sub', in: [], out: [] },
        {
          z: 'sub',
          id: 'cellar',
          type: 'parlando-remind',
          name: 'Cellar',
          mcpAccess: 'access',
          wires: [[], []],
        },
        { ...instance, id: 'first' },
        { ...instance, id: 'second' },
      ])
      const client = await open()
      const { tools } = await client.listTools()
      const names = tools.map(({ name }) => name)
      expect(names.slice(-2)).toEqual(['remind_cellar', 'remind_cellar_2'])
      const call = { name: 'remind_cellar', arguments: { text: 'a wine timer for five minutes' } }
      const result = await client.callTool(call)
      expect(JSON.parse(textOf(result))).toMatchObject({ reminders: [{ repeats: false }] })
    })

    it('sets a timer', async () => {
      await loadAccess()
      const text = 'a pizza timer for five minutes'
      const result = await (await open()).callTool({ name: 'remind_timers', arguments: { text } })
      expect(JSON.parse(textOf(result))).toMatchObject({
        said: expect.any(String),
        reminders: [{ repeats: false }],
      })
    })

    it('lets a node announce a text, which then sends its message, and learns what was said', async () => {
      const flow = await loadAccess()
      const call = {
        name: 'announce_kitchen_speaker',
        arguments: { text: 'Dinner', priority: 'urgent' },
      }
      const result = await (await open()).callTool(call)
      expect(result.isError).toBeFalsy()
      expect(JSON.parse(textOf(result))).toMatchObject({ status: 'said', priority: 'urgent' })
      expect(speaker.played.map(({ text }) => text)).toEqual(['Dinner'])
      expect(await flow.waitFor('said', 1)).toMatchObject([{ payload: 'Dinner' }])
    })

    it('asks a question, and learns the answer, which the flow receives as well', async () => {
      const flow = await loadAccess()
      speaker.driver.display = {
        showQuestion: ({ buttons }, onAnswer) => onAnswer(buttons.indexOf('no')),
        hideQuestion() {},
        showHeard() {},
      }
      const call = { name: 'ask_kitchen', arguments: { text: 'Is it raining?' } }
      const result = await (await open()).callTool(call)
      expect(JSON.parse(textOf(result))).toEqual({ answer: 'no', value: false, by: 'button' })
      expect(await flow.waitFor('answeredNo', 1)).toMatchObject([{ payload: false }])
    })

    it.each([
      [{}, /text is missing/],
      [{ text: 4 }, /text must be a text/],
      [{ text: 'a'.repeat(2001) }, /at most 2000 characters/],
      [{ text: 'Hi', priority: 'alarm' }, /priority must be one of info, normal, urgent/],
      [{ text: 'Hi', speakers: [4] }, /speakers must be a list/],
      [{ text: 'Hi', service: 'other' }, /There is no argument service/],
    ])('is told what is wrong with a call: %j', async (values, problem) => {
      await loadAccess()
      const call = { name: 'announce_kitchen_speaker', arguments: values }
      const result = await (await open()).callTool(call)
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(problem)
      expect(speaker.played).toEqual([])
    })

    it('is told that a tool does not exist', async () => {
      const flow = await loadAccess()
      const client = await open()
      const missing = await client.callTool({ name: 'announce_bedroom', arguments: { text: 'Hi' } })
      expect(textOf(missing)).toBe('There is no tool announce_bedroom.')
      expect(flow.received('said')).toEqual([])
    })

    it('is told why a node has failed', async () => {
      const flow = await loadAccess({ service: 'deleted' })
      const call = { name: 'announce_kitchen_speaker', arguments: { text: 'Hi' } }
      const result = await (await open()).callTool(call)
      expect(JSON.parse(textOf(result))).toMatchObject({ status: 'not said', reason: 'failed' })
      expect(await flow.waitFor('notSaid', 1)).toHaveLength(1)
    })
  },
)

describe('a program is told that there will be no result', () => {
  /** Asks a question that nobody answers. Resolves when it is shown. */
  async function askInVain() {
    const flow = await loadAccess()
    const shown = whenAsked()
    const call = { name: 'ask_kitchen', arguments: { text: 'Is it raining?' } }
    const called = (await connect()).callTool(call)
    await shown
    return { flow, called }
  }

  it('when the node is stopped', async () => {
    const { flow, called } = await askInVain()
    flow.node('question').receive({ stop: true })
    const result = await called
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/stopped before it had a result/)
  })

  it('when it takes longer than a call may take', async () => {
    await loadAccess()
    const playing = new Promise<void>((resolve) => {
      speaker.driver.play = async (_sound, { signal }) => {
        resolve()
        await abortableDelay(60_000, signal)
        return { confirmedBy: 'player' }
      }
    })
    const client = await connect()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const call = { name: 'announce_kitchen_speaker', arguments: { text: 'Dinner' } }
    const called = client.callTool(call)
    await playing
    vi.advanceTimersByTime(50_000)
    const result = await called
    expect(result.isError).toBe(true)
    expect(textOf(result)).toBe('It takes longer than a call may take, and goes on.')
  })

  it('when a deploy closes the access', async () => {
    const { flow, called } = await askInVain()
    await deploy(flow.nodes)
    const result = await called
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/deploy closed/)
  })

  it('when a deploy ends the node', async () => {
    const { flow, called } = await askInVain()
    const changed = flow.nodes.map((node) =>
      'id' in node && node.id === 'question' ? { ...node, info: 'changed' } : node,
    )
    await deploy(changed, 'nodes')
    const result = await called
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/stopped before it had a result/)
  })
})

it('a program learns that a text was said when the player of another node has played it', async () => {
  usesRadio = true
  onTestFinished(() => {
    usesRadio = false
  })
  const flow = await loadAccess({
    speaker: 'radio',
    outputs: 3,
    wires: [['said'], ['notSaid'], ['player']],
  })
  const call = { name: 'announce_kitchen_speaker', arguments: { text: 'Dinner' } }
  const called = (await connect()).callTool(call)
  const [handedOut] = await flow.waitFor('player', 1)
  flow.node('open').receive({ ...handedOut!, played: true })
  expect(JSON.parse(textOf(await called))).toMatchObject({
    status: 'said',
    speakers: [{ name: 'Radio', confirmedBy: 'player' }],
  })
})

describe('a request', () => {
  const initialize = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  }
  const send = (headers: object, more: object = {}) =>
    fetch(address(), {
      ...initialize,
      ...more,
      headers: { ...initialize.headers, ...headers },
    })

  it.each([
    ['no key', {}],
    ['a wrong key', { authorization: `Bearer ${keys.wrong}` }],
    ['a part of the key', { authorization: `Bearer ${keys.service.slice(0, -1)}` }],
    ['another scheme', { authorization: `Basic ${keys.service}` }],
  ])('with %s is rejected', async (_name, headers) => {
    await loadAccess()
    const { status } = await send(headers)
    expect(status).toBe(401)
  })

  it('may have the key in another header, beside a password of Node-RED', async () => {
    await loadAccess()
    const { status } = await send({ authorization: 'Basic abc', 'x-api-key': keys.service })
    expect(status).toBe(200)
  })

  it.each(['https://evil.example', 'null'])(
    'of a website is rejected, even with the key: %s',
    async (origin) => {
      await loadAccess()
      const { status } = await send({ authorization: `Bearer ${keys.service}`, origin })
      expect(status).toBe(403)
    },
  )

  it('may have 256 KiB', async () => {
    await loadAccess()
    const body = Buffer.alloc(300 * 1024, 32)
    const { status } = await send({ authorization: `Bearer ${keys.service}` }, { body })
    expect(status).toBe(413)
    // Without a stated length, it is read until it is too long.
    const chunks = new Blob([JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }), body])
    const streamed = { body: chunks.stream(), duplex: 'half' }
    const streamedReply = await send({ authorization: `Bearer ${keys.service}` }, streamed)
    expect(streamedReply.status).toBe(413)
  })

  it('that fails gets a response, and Node-RED logs it once', async () => {
    await loadAccess()
    // The library has no such method.
    const trace = request(address(), { method: 'TRACE', headers: { 'x-api-key': keys.service } })
    const [response] = await once(trace.end(), 'response')
    expect(response.statusCode).toBe(500)
    expect(logged()).toEqual(['mcp-access.error.request-failed'])
  })

  it('of a program that leaves is no failure', async () => {
    await loadAccess()
    const shown = whenAsked()
    const leaving = new AbortController()
    const params = { name: 'ask_kitchen', arguments: { text: 'Is it raining?' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const headers = { authorization: `Bearer ${keys.service}` }
    const sent = send(headers, { body, signal: leaving.signal })
    await shown
    leaving.abort()
    await expect(sent).rejects.toThrow()
    await (await connect()).listTools()
    expect(logged()).toEqual([])
  })

  it('finds nothing without an access with a long key', async () => {
    const flow = await loadAccess({}, 'short')
    expect((await send({ authorization: 'Bearer short' })).status).toBe(404)
    expect(flow.node('access')).toBeTruthy()
  })
})
