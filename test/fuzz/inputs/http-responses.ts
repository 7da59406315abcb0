import type { OddRequest } from './http-requests.ts'

/** A response to one request. */
export interface HttpResponse {
  status: number
  headers: Map<string, string>
  body: Buffer
  /** Whether the connection ends after it. */
  isLast: boolean
}

/** The bytes are not HTTP. */
class IllegalResponse extends Error {}

const lineEnd = '\r\n'
const headEnd = '\r\n\r\n'
/** A response has each of these only once. */
const single = ['content-length', 'transfer-encoding', 'content-type', 'date', 'location']

/**
 * Reads the responses of a connection as strictly as RFC 9110 and RFC 9112 allow a client to.
 * @param isEnded whether the server has ended the connection.
 * @returns the complete responses in order. @throws {IllegalResponse}
 */
export function readResponses(
  bytes: Buffer,
  requests: readonly OddRequest[],
  isEnded: boolean,
): HttpResponse[] {
  const responses: HttpResponse[] = []
  let rest = bytes
  let isInvited = false
  for (;;) {
    const request = requests[responses.length]
    const head = readHead(rest)
    if (!head) break
    if (!request) throw new IllegalResponse(`a response to no request: ${rest.subarray(0, 200)}`)
    const { status, headers } = head
    if (status < 200) {
      if (status !== 100 || !request.expectsContinue || isInvited || headers.size > 0) {
        throw new IllegalResponse(`an unexpected interim response: ${status}`)
      }
      isInvited = true
      rest = rest.subarray(head.end)
      continue
    }
    const read = readBody(rest.subarray(head.end), head, request, isEnded)
    if (!read) break
    const isLast = /\bclose\b/i.test(headers.get('connection') ?? '')
    responses.push({ status, headers, body: read.body, isLast })
    rest = rest.subarray(head.end + read.bytes)
    isInvited = false
  }
  // Behind the last response to HEAD, there may be a body: what the service cannot read has no method.
  if (isEnded && rest.length > 0 && !responses.at(-1)?.isLast)
    throw new IllegalResponse(`ended within: ${rest.subarray(0, 200)}`)
  return responses
}

interface Head {
  status: number
  headers: Map<string, string>
  end: number
}

function readHead(bytes: Buffer): Head | undefined {
  const length = bytes.indexOf(headEnd)
  if (length < 0) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, length).split(lineEnd)
  const status = /^HTTP\/1\.1 ([1-5]\d\d) [\t -~]*$/.exec(statusLine)?.[1]
  if (!status) throw new IllegalResponse(`not a status line: ${statusLine}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] =
      /^([!#$%&'*+.^_`|~\w-]+): *([\t -~\x80-\xff]*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '') throw new IllegalResponse(`not a header: ${line}`)
    if (headers.has(key) && single.includes(key)) throw new IllegalResponse(`repeated: ${line}`)
    headers.set(key, value)
  }
  return { status: Number(status), headers, end: length + headEnd.length }
}

/** @returns the content and the number of bytes; `undefined` before its end. */
function readBody(
  bytes: Buffer,
  { status, headers }: Head,
  { method, isHttp10 }: OddRequest,
  isEnded: boolean,
): { body: Buffer; bytes: number } | undefined {
  if (!headers.has('date')) throw new IllegalResponse(`${status} without a date`)
  const length = headers.get('content-length')
  const coding = headers.get('transfer-encoding')
  if (length !== undefined && !/^\d+$/.test(length)) throw new IllegalResponse(`length: ${length}`)
  if (coding !== undefined && (coding !== 'chunked' || length !== undefined || isHttp10)) {
    throw new IllegalResponse(`Transfer-Encoding: ${coding}`)
  }
  if (status === 204 && (length ?? coding) !== undefined)
    throw new IllegalResponse('204 with a body')
  if (method === 'HEAD' || status === 204 || status === 304)
    return { body: Buffer.alloc(0), bytes: 0 }
  if (coding) return readChunks(bytes)
  if (length === undefined) {
    if (!/\bclose\b/i.test(headers.get('connection') ?? '')) throw new IllegalResponse('no length')
    return isEnded ? { body: bytes, bytes: bytes.length } : undefined
  }
  const size = Number(length)
  return bytes.length < size ? undefined : { body: bytes.subarray(0, size), bytes: size }
}

function readChunks(bytes: Buffer): { body: Buffer; bytes: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf(lineEnd, at)
    if (end < 0) return undefined
    const digits = bytes.toString('latin1', at, end)
    if (!/^[\da-f]+$/i.test(digits)) throw new IllegalResponse(`the size of a chunk: ${digits}`)
    const begin = end + lineEnd.length
    at = begin + Number.parseInt(digits, 16)
    if (bytes.length < at + lineEnd.length) return undefined
    if (bytes.toString('latin1', at, at + lineEnd.length) !== lineEnd) {
      throw new IllegalResponse('no end of a chunk')
    }
    if (at === begin) return { body: Buffer.concat(chunks), bytes: at + lineEnd.length }
    chunks.push(bytes.subarray(begin, at))
    at += lineEnd.length
  }
}
