import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keys } from '@parlando/test-support/secrets/keys'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import type { Node, NodeMessage } from 'node-red'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ToolAccess } from '../../../packages/node-red-nodes/src/mcp/server/tool-access.ts'
import { addAccessRoute } from '../../../packages/node-red-nodes/src/nodes/mcp-access/access-route.ts'
import { noteRunning } from '../../../packages/node-red-nodes/src/runtime/running-nodes.ts'
import { watcherOf } from '../../../packages/node-red-nodes/src/runtime/watched-messages.ts'
import { fuzz } from '../cases.ts'
import { anyFrame, largeJson, toText } from '../setups/hostile-api.ts'

const key = keys.service
const maxBodyBytes = 256 * 1024

/** What reaches the node. */
const messages: NodeMessage[] = []
const node = {
  id: 'announce',
  on() {},
  receive(message: NodeMessage) {
    messages.push(message)
    watcherOf(message)!.ended(undefined)
  },
} as unknown as Node
const config = { id: 'announce', type: 'parlando-announce', name: 'Kitchen', mcpAccess: 'access' }
noteRunning(node, { ...config, z: 'tab' })

type Route = (request: unknown, response: unknown, next: () => void) => void
let route: Route
const RED = {
  settings: {},
  httpNode: {
    all(_path: string, handler: Route) {
      route = handler
    },
  },
  nodes: { eachNode: (visit: (config: object) => void) => visit(config), getNode: () => node },
} as never
const access = new ToolAccess(RED, 'access', key)
addAccessRoute(RED, [access])

const server = createServer((request, response) => route(request, response, () => response.end()))
let address: string
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/parlando/mcp`
})
afterAll(() => {
  access.close()
  server.close()
  server.closeAllConnections()
})

const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const text = 'Dinner'
const call = message('tools/call', {
  name: 'announce_kitchen',
  arguments: { text, speakers: ['kitchen'], priority: 'urgent' },
})
const clientInfo = { name: 'test', version: '1' }
const initialize = message('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo,
})
const authorized = { authorization: `Bearer ${key}` }
const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const requests = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant('POST') },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS') },
  ),
  body: fc.oneof(
    ...[call, initialize, message('tools/list', {})].map(anyFrame),
    anyFrame([call, call]),
  ),
  headers: fc.record(
    {
      authorization: fc.constantFrom(authorized.authorization, 'Bearer', `Bearer ${key}x`),
      'x-api-key': fc.constantFrom(key, '', 'constructor'),
      'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json; x'),
      accept: fc.constantFrom(usual.accept, 'application/json', '*/*', 'text/html'),
      'mcp-protocol-version': fc.constantFrom('2025-06-18', '1999-01-01', 'x'.repeat(3000)),
      'mcp-session-id': fc.constantFrom('1', '__proto__'),
      origin: fc.constantFrom('http://example.org', 'null', 'x'),
      'last-event-id': fc.constantFrom('1', '-1'),
    },
    { requiredKeys: [] },
  ),
})

async function send(body: string, headers: Record<string, string>, method = 'POST') {
  const response = await fetch(address, { method, headers, ...(method !== 'GET' && { body }) })
  return { status: response.status, text: await response.text() }
}

it('no request to the MCP access reaches a node without the key, or with what its tool does not have', async () => {
  await fuzz(
    requests,
    async ({ method, body, headers }) => {
      messages.length = 0
      const given = { ...usual, ...authorized, ...headers }
      const { status, text: reply } = await send(body, given, method)
      expect(status).toBeLessThan(500)
      expect(reply).not.toContain(key)
      expect(reply).not.toContain('node_modules')
      const isAllowed = given.authorization === authorized.authorization && !given.origin
      if (!isAllowed && messages.length > 0) expect(given['x-api-key']).toBe(key)
      for (const { payload, ...others } of messages as { payload: unknown }[]) {
        expect(payload).toSatisfy((said) => typeof said === 'string' && said.length <= 2000)
        expect(['priority', 'speakers']).toEqual(expect.arrayContaining(Object.keys(others)))
      }
    },
    { share: 0.4 },
  )
  messages.length = 0
  expect(await send(toText(call), { ...usual, ...authorized })).toMatchObject({ status: 200 })
  expect(messages).toMatchObject([{ payload: text, priority: 'urgent' }])
})

it.each(largeJson(maxBodyBytes - 200))(
  'the largest request does not hold the event loop: %s',
  async (_what, value) => {
    const params = value.slice(0, maxBodyBytes - 200)
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":${params}}}`
    const holdMs = await measureHold(() => send(body, { ...usual, ...authorized }))
    expect(holdMs).toBeLessThan(maxHoldMs)
  },
)
