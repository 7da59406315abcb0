import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface GivenAnswer {
  status?: number
  headers?: Record<string, string>
  /** Each arrives as a piece of its own. */
  pieces: readonly Buffer[]
  /** The connection is lost before the end of the answer. */
  isLost?: boolean
  /** The pieces are all that is sent, without a head of ours. */
  isBare?: boolean
}

export interface ScriptedServer {
  /** The address of one lane, which has one call at a time. */
  baseUrl(lane: number): string
  close(): void
}

/** A real HTTP server on loopback that answers each lane as it is told. */
export async function startScriptedServer(
  answerOf: (lane: number) => GivenAnswer,
): Promise<ScriptedServer> {
  const server = createServer(async (request, response) => {
    const lane = Number(request.url!.split('/')[1])
    const { status = 200, headers = {}, pieces, isLost, isBare } = answerOf(lane)
    request.resume()
    if (isBare) return void response.socket!.end(Buffer.concat(pieces))
    response.writeHead(status, headers)
    // One after the other, or the client would find them together again.
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve))
    if (isLost) response.socket!.end()
    else response.end()
  })
  // A connection that is closed for want of calls may be closed as the next one begins.
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
