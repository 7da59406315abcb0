import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedResponse {
  status?: number
  headers?: Record<string, string>
  /** Each arrives as a separate piece. */
  pieces: readonly Buffer[]
  /** The connection is lost before the end of the response. */
  isLost?: boolean
  /** The pieces contain the whole response, including its headers. */
  isBare?: boolean
}

export interface ScriptedServer {
  /** The address of one lane, which has one request at a time. */
  baseUrl(lane: number): string
  close(): void
}

/** A real HTTP server on loopback with a configurable response for each lane. */
export async function startScriptedServer(
  responseOf: (lane: number) => ScriptedResponse,
): Promise<ScriptedServer> {
  const server = createServer(async (request, response) => {
    const lane = Number(request.url!.split('/')[1])
    const { status = 200, headers = {}, pieces, isLost, isBare } = responseOf(lane)
    request.resume()
    if (isBare) return void response.socket!.end(Buffer.concat(pieces))
    response.writeHead(status, headers)
    // One after the other, since Node would merge pieces that are written at once.
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve))
    if (isLost) response.socket!.end()
    else response.end()
  })
  // A keep-alive timeout could close a connection just as the next request begins.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: (lane) => `http://127.0.0.1:${port}/${lane}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
