import { z } from 'zod'
import type { WyomingEvent } from './event.ts'

const maxLineBytes = 1024 * 1024
/** The `info` of a server with hundreds of voices has about 200 KB. */
const maxDataBytes = 8 * 1024 * 1024
/** Four minutes of the usual audio. */
const maxPayloadBytes = 8 * 1024 * 1024

const dataSchema = z.record(z.string(), z.unknown())
const headSchema = z.looseObject({
  type: z.string(),
  data: dataSchema.nullish(),
  data_length: z.int().min(0).max(maxDataBytes).nullish(),
  payload_length: z.int().min(0).max(maxPayloadBytes).nullish(),
})

/**
 * Reads events from the bytes of a connection, in pieces of any size. Ends with the connection.
 * @throws {Error} if the bytes do not follow the protocol, exceed a limit or end within an event.
 */
export async function* readEvents(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<WyomingEvent, void> {
  const bytes = createByteReader(pieces)
  for (;;) {
    const line = await bytes.readLine(maxLineBytes)
    if (line === undefined) return
    const head = headSchema.parse(parse(line))
    const data = await bytes.readExactly(head.data_length ?? 0)
    const payload = await bytes.readExactly(head.payload_length ?? 0)
    const later = data.length > 0 ? dataSchema.parse(parse(data)) : {}
    yield { type: head.type, data: { ...head.data, ...later }, payload }
  }
}

function parse(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8'))
}

function createByteReader(pieces: AsyncIterable<Uint8Array>) {
  const iterator = pieces[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  /** @returns whether there are more bytes. */
  const readMore = async (): Promise<boolean> => {
    const { done, value } = await iterator.next()
    if (done) return false
    rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return true
  }
  const take = (count: number): Buffer => {
    const taken = rest.subarray(0, count)
    rest = rest.subarray(count)
    return taken
  }
  return {
    /** @returns the line without its end; `undefined` at the end of the connection. */
    async readLine(maxBytes: number): Promise<Buffer | undefined> {
      const parts: Buffer[] = []
      let length = 0
      for (;;) {
        const end = rest.indexOf('\n')
        const part = take(end < 0 ? rest.length : end)
        parts.push(part)
        length += part.length
        if (length > maxBytes) throw new Error(`A line has more than ${maxBytes} bytes`)
        if (end >= 0) {
          take(1)
          return Buffer.concat(parts)
        }
        if (await readMore()) continue
        if (length > 0) throw new Error('The connection ended within an event')
        return undefined
      }
    },
    async readExactly(count: number): Promise<Buffer> {
      const parts: Buffer[] = []
      for (let missing = count; missing > 0; ) {
        const part = take(missing)
        parts.push(part)
        missing -= part.length
        if (missing > 0 && !(await readMore())) {
          throw new Error('The connection ended within an event')
        }
      }
      return Buffer.concat(parts)
    },
  }
}
