import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Sends a response over a connection that Node does not use for responses, and ends the connection. */
export async function endWithResponse(duplex: Duplex, response: Response): Promise<void> {
  const { status } = response
  const body = Buffer.from(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  headers.set('date', new Date().toUTCString())
  headers.set('connection', 'close')
  headers.set('content-length', `${body.length}`)
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  headers.forEach((value, name) => {
    head += `${name}: ${value}\r\n`
  })
  // A client that has sent more, or does not end its half, would keep the connection open.
  duplex.once('finish', () => duplex.destroy())
  duplex.end(Buffer.concat([Buffer.from(`${head}\r\n`), body]))
}
