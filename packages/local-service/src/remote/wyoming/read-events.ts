import { z } from 'zod'
import { createTurnLimit } from '../../concurrency/event-loop-turns.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { parseBody } from '../../requests/read-json.ts'
import { createByteReader } from './byte-reader.ts'
import { InvalidEventError, type WyomingEvent } from './event.ts'

/** How large the events of the other side may be. */
export interface EventLimits {
  maxLineBytes: number
  maxDataBytes: number
  maxPayloadBytes: number
  /** The limit of the values of JSON in the line and in the data. */
  maxValues: number
}

/** The limits for servers that the service uses: the `info` of one with hundreds of voices has about 200 KB. */
const limitsOfServers: EventLimits = {
  maxLineBytes: 1024 * 1024,
  maxDataBytes: 8 * 1024 * 1024,
  maxPayloadBytes: 8 * 1024 * 1024,
  maxValues: 100_000,
}

/** The limits for clients, which need no key. A text of 100,000 characters has up to 600 KB, a minute of the usual sound 2 MB. */
export const limitsOfClients: EventLimits = {
  maxLineBytes: 64 * 1024,
  maxDataBytes: 1024 * 1024,
  maxPayloadBytes: 2 * 1024 * 1024,
  maxValues: 6000,
}

const openObject = 0x7b

const lengthSchema = z.int().min(0).nullish()
const dataSchema = z.record(z.string(), z.unknown())
const headSchema = z.looseObject({
  type: z.string(),
  data: dataSchema.nullish(),
  data_length: lengthSchema,
  payload_length: lengthSchema,
})

export interface ReadEventsOptions {
  /** Default: those of servers. */
  limits?: EventLimits
  /** Called with the bytes that the reader holds for the other side. */
  onHold?(bytes: number): void
}

/**
 * Reads events from the bytes of a connection, in pieces of any size. Ends with the connection.
 * @throws {InvalidEventError} if an event does not follow the protocol or exceeds a limit.
 * @throws {Error} if the bytes are of another protocol, or end within an event.
 */
export async function* readWyomingEvents(
  pieces: AsyncIterable<Uint8Array>,
  { limits = limitsOfServers, onHold = () => {} }: ReadEventsOptions = {},
): AsyncGenerator<WyomingEvent, void> {
  const { maxLineBytes, maxDataBytes, maxPayloadBytes, maxValues } = limits
  const endLongTurn = createTurnLimit()
  let held = 0
  const grow = (bytes: number) => onHold(held + bytes)
  const bytes = createByteReader(pieces, grow)

  const readPart = async (length: number, maxLength: number, name: string): Promise<Buffer> => {
    if (length > maxLength) throw new InvalidEventError(`${name} has more than ${maxLength} bytes`)
    const part = await bytes.readExactly(length)
    held += part.length
    return part
  }
  const parse = async <Value>(
    schema: z.ZodType<Value>,
    text: Buffer,
    name: string,
  ): Promise<Value> => {
    const parsed = schema.safeParse(await parseJsonText(text, name, maxValues))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new InvalidEventError(`${[name, ...issue!.path].join('.')}: ${issue!.message}`)
  }

  for (;;) {
    await endLongTurn()
    held = 0
    onHold(0)
    const line = await bytes.readLine(maxLineBytes)
    if (line === undefined) return
    if (line === 'tooLong') {
      throw new InvalidEventError(`The line of an event has more than ${maxLineBytes} bytes`)
    }
    // Perhaps a web page tries to use the service through the browser.
    if (line[0] !== openObject) throw new Error('These bytes are not the Wyoming protocol')
    const head = await parse(headSchema, line, 'The event')
    const data = await readPart(head.data_length ?? 0, maxDataBytes, 'The data of the event')
    const payload = await readPart(
      head.payload_length ?? 0,
      maxPayloadBytes,
      'The payload of the event',
    )
    const later = data.length > 0 ? await parse(dataSchema, data, 'The data of the event') : {}
    yield { type: head.type, data: { ...head.data, ...later }, payload }
  }
}

async function parseJsonText(text: Buffer, name: string, maxValues: number): Promise<unknown> {
  try {
    return await parseBody(text, name, maxValues)
  } catch (error) {
    if (error instanceof ServiceError) throw new InvalidEventError(error.message)
    throw error
  }
}
