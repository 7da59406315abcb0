import { onTestFinished } from 'vitest'
import { McpConnection } from '../../../node-red-nodes/src/mcp/client/mcp-connection.ts'
import type { McpSettings } from '../../../node-red-nodes/src/mcp/client/open-transport.ts'
import { readToolResult } from '../../../node-red-nodes/src/mcp/client/tool-result.ts'

/** Never aborted. */
export const { signal: untilTheEnd } = new AbortController()

/** Returns keys instead of texts. */
const texts = { _: (key: string, values = {}) => `${key} ${JSON.stringify(values)}` }

const notGiven = { address: '', command: '', variables: '', key: '' }

/** A connection to an MCP server, which closes at the end of the test. */
export function connectMcp(settings: Partial<McpSettings> & { timeoutMs?: number }) {
  const connection = new McpConnection({
    RED: texts as never,
    serverName: 'test',
    timeoutMs: 20_000,
    kind: 'address',
    ...notGiven,
    ...settings,
  })
  onTestFinished(() => connection.close())
  return {
    connection,
    call: async (name: string, values = {}, signal = untilTheEnd) =>
      readToolResult(await connection.callTool(name, values, signal)),
  }
}
