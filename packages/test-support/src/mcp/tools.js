import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'

// JavaScript, because the program of the tests also runs on the oldest Node.

const text = (words) => ({ content: [{ type: 'text', text: words }] })
const textSchema = fromJsonSchema({
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
})
const sumSchema = fromJsonSchema({
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
})
const nothing = fromJsonSchema({ type: 'object', properties: {} })

/** An MCP server with the tools of the tests. */
export function createTestMcpServer() {
  const server = new McpServer({ name: 'test', version: '1' })
  const add = (name, inputSchema, call) =>
    server.registerTool(name, { description: `The tool ${name}.`, inputSchema }, call)
  add('echo', textSchema, ({ text: words }) => text(`Echo: ${words}`))
  add('get-sum', sumSchema, ({ a, b }) => text(`The sum of ${a} and ${b} is ${a + b}.`))
  add('weather.today', nothing, () => text('It rains.'))
  add('environment', nothing, () => text(JSON.stringify(process.env)))
  add('process', nothing, () => text(JSON.stringify({ pid: process.pid })))
  add('long', nothing, () => text('a'.repeat(50_000)))
  add('failing', nothing, () => ({ isError: true, ...text('no power') }))
  add('waiting', nothing, () => new Promise(() => {}))
  add('ending', nothing, () => process.exit(3))
  return server
}
