import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { NodeAPI } from 'node-red'
import type { ToolAccess } from '../../mcp/server/tool-access.ts'
import { checkOrigin, knownHosts } from '../../page-server/check-origin.ts'
import { reasonOf } from '../../runtime/failure.ts'

const maxBodyBytes = 256 * 1024

/** Serves tools at `<httpNodeRoot>/parlando/mcp`, over streamable HTTP. The key of a request decides which. */
export function addAccessRoute(RED: NodeAPI, accesses: Iterable<ToolAccess>): void {
  const hosts = knownHosts(RED)
  RED.httpNode.all('/parlando/mcp', async (request, response, next) => {
    const all = [...accesses]
    // The route responds as if it were not there.
    if (all.length === 0) return next()
    // A website in a browser, under any name: it does not have the key, but might guess.
    if (checkOrigin(request, hosts)) return end(response, 403)
    const key = keyOf(request)
    const access = all.filter((one) => one.hasKey(key))[0]
    if (!access) return end(response, 401, { 'WWW-Authenticate': 'Bearer' })
    if (Number(request.headers['content-length']) > maxBodyBytes) {
      return end(response, 413, { Connection: 'close' })
    }
    try {
      const body = await readBody(request)
      if (!body) return end(response, 413)
      await serve(access, request, body, response)
    } catch (error) {
      // The program has left, so nobody waits for a response.
      if (response.destroyed) return
      RED.log.error(RED._('mcp-access.error.request-failed', { reason: reasonOf(error) }))
      if (response.headersSent) response.destroy()
      else end(response, 500)
    }
  })
}

/** The key. Node-RED may need `Authorization` for a password of its own, so there is another header. */
function keyOf({ headers }: IncomingMessage): string {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return bearer ?? String(headers['x-api-key'] ?? '')
}

function end(response: ServerResponse, status: number, headers = {}): void {
  response.writeHead(status, headers).end()
}

/**
 * @returns nothing if it is too long. A body in chunks has no length, so its rest is read, too: the end of a connection with
 * unread data would reach the program before the response.
 */
async function readBody(
  request: IncomingMessage & { body?: unknown },
): Promise<Buffer<ArrayBuffer> | undefined> {
  // The editor, if it has the same root, has already read and parsed JSON.
  const parts = request.readableDidRead ? [Buffer.from(JSON.stringify(request.body))] : request
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of parts) {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) chunks.push(chunk)
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks) : undefined
}

async function serve(
  access: ToolAccess,
  { method = '', headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  response: ServerResponse,
): Promise<void> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  const handler = createMcpHandler(() => access.createServer(), { maxSubscriptions: 0 })
  // Without the key: an error that is logged could quote a header.
  const {
    'content-length': _length,
    'transfer-encoding': _encoding,
    authorization: _authorization,
    'x-api-key': _key,
    ...rest
  } = headers
  try {
    const reply = await handler.fetch(
      new Request('http://localhost/parlando/mcp', {
        method,
        headers: rest as Record<string, string>,
        signal: closed.signal,
        ...(method === 'POST' && { body }),
      }),
    )
    reply.headers.forEach((value, name) => void response.setHeader(name, value))
    response.writeHead(reply.status)
    if (!reply.body) return void response.end()
    await pipeline(Readable.fromWeb(reply.body as ReadableStream), response)
  } finally {
    await handler.close()
  }
}
