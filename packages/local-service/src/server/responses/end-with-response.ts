import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Sends a response over a connection that Node does not use for responses, and ends the connection. */
export async function endWithResponse(duplex: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  endWithBody(duplex, response, body)
}

/** Sends JSON at once, before anything else can be sent. */
export function endWithJson(duplex: Duplex, status: number, json: object): void {
  const headers = new Headers({ 'content-type': 'application/json' })
  endWithBody(duplex, { status, headers }, Buffer.from(JSON.stringify(json)))
}

function endWithBody(
  duplex: Duplex,
  { status, headers: given }: Pick<Response, 'status' | 'headers'>,
  body: Buffer,
): void {
  const headers = new Headers(given)
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
