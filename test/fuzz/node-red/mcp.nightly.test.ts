import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keys } from '@parlando/test-support/secrets/keys'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { McpConnection } from '../../../packages/node-red-nodes/src/mcp/client/mcp-connection.ts'
import { maxMessageBytes } from '../../../packages/node-red-nodes/src/mcp/client/message-limit.ts'
import { selectTools } from '../../../packages/node-red-nodes/src/mcp/client/served-tools.ts'
import { readToolResult } from '../../../packages/node-red-nodes/src/mcp/client/tool-result.ts'
import { fuzz } from '../cases.ts'
import { anyFrame, largeJson, startTrap, toText } from '../setups/hostile-api.ts'

const key = keys.service
const trap = await startTrap()
afterAll(() => trap.close())

const serverInfo = { name: 'test', version: '1', websiteUrl: trap.url }
const response = (result: object) => ({ jsonrpc: '2.0', id: 'ID', result })
/** What a server sends, by the method of the request; each `ID` is replaced by that of the request. */
const good: Record<string, object> = {
  initialize: response({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }),
  'tools/list': response({
    tools: [
      {
        name: 'sum.of',
        title: 'Sum',
        description: 'Adds two numbers.',
        inputSchema: {
          type: 'object',
          $ref: trap.url,
          properties: { a: { type: 'number' }, b: { type: 'number' } },
        },
        icons: [{ src: trap.url }],
      },
    ],
  }),
  'tools/call': response({
    content: [
      { type: 'text', text: `With the key ${key}: 5` },
      { type: 'resource', resource: { uri: trap.url, text: 'five' } },
      { type: 'resource_link', uri: trap.url, name: 'five' },
      { type: 'image', data: 'QUJD', mimeType: 'image/png' },
    ],
    structuredContent: { sum: 5 },
    isError: false,
  }),
}
const unknownMethod = { jsonrpc: '2.0', id: 'ID', error: { code: -32_601, message: 'Unknown' } }

type Frames = Record<string, string>
interface Hostile {
  frames: Frames
  isStream: boolean
  status: number
  headers: Record<string, string>
}

const hostile: fc.Arbitrary<Hostile> = fc.record({
  frames: fc.record(
    Object.fromEntries(Object.entries(good).map(([name, valid]) => [name, anyFrame(valid)])),
  ),
  isStream: fc.boolean(),
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant(200) },
    { weight: 1, arbitrary: fc.constantFrom(201, 202, 204, 302, 307, 400, 401, 404, 429, 500) },
  ),
  headers: fc.record(
    {
      'mcp-session-id': fc.constantFrom('1', '', 'constructor', 'x'.repeat(5000)),
      location: fc.constant(trap.url),
      'www-authenticate': fc.constant(['Bearer', `resource_metadata="${trap.url}"`].join(' ')),
    },
    { requiredKeys: [] },
  ),
})

async function startServer({ frames, isStream, status, headers }: Hostile) {
  const respond = async (request: IncomingMessage, reply: ServerResponse) => {
    if (request.method !== 'POST') return void reply.writeHead(405).end()
    const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (id === undefined) return void reply.writeHead(202).end()
    const frame = frames[method] ?? toText(unknownMethod)
    const text = frame.replace('"ID"', toText(id))
    // What begins a session is mostly as it should be.
    const isFirst = method !== 'tools/call' && method !== 'tools/list'
    const type = isStream ? 'text/event-stream' : 'application/json'
    reply.writeHead(isFirst ? 200 : status, { ...headers, 'content-type': type })
    reply.end(isStream ? `event: message\ndata: ${text}\n\n` : text)
  }
  const server = createServer((request, reply) => void respond(request, reply))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Uses the server as *chat* does. @returns the texts for the language model, and the errors. */
async function use(given: Hostile, limitMs = 500) {
  const server = await startServer(given)
  const texts = { _: (name: string, values = {}) => `${name} ${toText(values)}` }
  const connection = new McpConnection({
    ...{ RED: texts as never, serverName: 'test', timeoutMs: limitMs },
    ...{ kind: 'address', address: server.address, command: '', variables: '', key },
  })
  const signal = AbortSignal.timeout(limitMs)
  const list = async () => toText(selectTools(await connection.listTools(signal), []))
  const call = async () =>
    connection.redact(readToolResult(await connection.callTool('sum.of', { a: 2, b: 3 }, signal)))
  const results = [
    await list().catch((error: unknown) => ({ error })),
    await call().catch((error: unknown) => ({ error })),
  ]
  await connection.close()
  await server.close()
  return {
    results: results.filter((result) => typeof result === 'string'),
    errors: results.flatMap((result) => (typeof result === 'string' ? [] : [result.error])),
  }
}

it('no response of an MCP server ends Node-RED, shows the key, or makes it fetch an address', async () => {
  await fuzz(
    hostile,
    async (given) => {
      const { results, errors } = await use(given)
      for (const text of results) expect(text.length).toBeLessThan(250_000)
      expect(results.at(-1) ?? '').not.toContain(key)
      for (const error of errors) {
        const { name, code, message } = error as { name: string; code: string; message: string }
        if (name !== 'TimeoutError') expect(code, message).toBe('NOT_REACHABLE')
        expect(message).not.toContain(key)
        expect(message).toMatch(/^[^\p{Cc}]{10,1000}$/u)
      }
      expect(trap.contacts).toEqual([])
    },
    { lanes: 20, share: 0.2 },
  )
})

it('tools and a result that are as they should be are read', async () => {
  const frames = Object.fromEntries(Object.entries(good).map(([name, v]) => [name, toText(v)]))
  const { results, errors } = await use(
    { frames, isStream: true, status: 200, headers: {} },
    20_000,
  )
  expect(errors).toEqual([])
  expect(results[0]).toContain('"name":"sum_of"')
  expect(results[1]).toContain('five')
})

/** Without the rest of the message. */
const bytes = maxMessageBytes - 100
const values = 14_900

it.each([
  ...largeJson(bytes),
  ['as many fields as allowed', largeJson(12 * values)[3]![1]],
  ['lists as deep as allowed', largeJson(2 * values)[0]![1]],
])('the largest message does not hold the event loop: %s', async (_what, text) => {
  const frames = Object.fromEntries(Object.entries(good).map(([name, v]) => [name, toText(v)]))
  const within = `{"jsonrpc":"2.0","id":"ID","result":${text.slice(0, bytes + 200)}}`
  const given = {
    ...{ isStream: false, status: 200, headers: {} },
    frames: { ...frames, 'tools/list': within, 'tools/call': within },
  }
  const holdMs = await measureHold(() => use(given))
  expect(holdMs).toBeLessThan(maxHoldMs)
})
