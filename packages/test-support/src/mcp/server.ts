import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import { createMcpHandler, type McpServer, type Server } from '@modelcontextprotocol/server'
import { startTestServer, type TestServer } from '../servers/test-server.ts'
import { createTestMcpServer } from './tools.js'

/** The command line of an MCP server with the tools of the tests, on standard input and output. */
export const mcpCommand = [process.execPath, fileURLToPath(new URL('program.js', import.meta.url))]
  .map((word) => `"${word}"`)
  .join(' ')

/** Starts an MCP server, over streamable HTTP. @param key that clients must send. @param create default: the tools of the tests. */
export async function startMcpServer(
  key?: string,
  create: () => McpServer | Server = createTestMcpServer,
): Promise<TestServer> {
  const handler = createMcpHandler(create)
  return startTestServer(async (response, request, body) => {
    const { method = '', url = '', headers } = request
    if (key !== undefined && headers.authorization !== `Bearer ${key}`) {
      return void response.writeHead(401).end()
    }
    const reply = await handler.fetch(
      new Request(new URL(url, 'http://127.0.0.1'), {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'POST' && { body }),
      }),
    )
    reply.headers.forEach((value, name) => void response.setHeader(name, value))
    response.writeHead(reply.status)
    if (!reply.body) return void response.end()
    await pipeline(Readable.fromWeb(reply.body as ReadableStream), response).catch(() => {})
  })
}
