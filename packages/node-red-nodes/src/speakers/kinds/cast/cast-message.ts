import { objectOf, parseJson } from '../../network/json.ts'

/**
 * A message of the protocol Cast v2, which is a Protocol Buffer of six fields
 * (https://source.chromium.org/chromium/chromium/src/+/main:third_party/openscreen/src/cast/common/channel/proto/cast_channel.proto,
 * read 2026-11). With so few, a library would save nothing.
 */
export interface CastMessage {
  source: string
  destination: string
  /** What it is about, such as {@link namespaces.media}. */
  namespace: string
  /** Its fields; none if it is not JSON. */
  payload: Readonly<Record<string, unknown>>
}

export const namespaces = {
  connection: 'urn:x-cast:com.google.cast.tp.connection',
  heartbeat: 'urn:x-cast:com.google.cast.tp.heartbeat',
  receiver: 'urn:x-cast:com.google.cast.receiver',
  media: 'urn:x-cast:com.google.cast.media',
} as const

/** Chrome and devices send no longer one. */
export const maxMessageBytes = 64 * 1024

const field = { source: 2, destination: 3, namespace: 4, payload: 6 } as const
/** How a value is encoded: as a number of 7 bits in each byte, or as bytes after their number. */
const wire = { number: 0, eightBytes: 1, bytes: 2, fourBytes: 5 } as const

export function encodeMessage({ source, destination, namespace, payload }: CastMessage): Buffer {
  return Buffer.concat([
    // Version 1.0.
    Buffer.from([1 << 3, 0]),
    encodeText(field.source, source),
    encodeText(field.destination, destination),
    encodeText(field.namespace, namespace),
    // The payload is a text.
    Buffer.from([5 << 3, 0]),
    encodeText(field.payload, JSON.stringify(payload)),
  ])
}

function encodeText(number: number, text: string): Buffer {
  const bytes = Buffer.from(text)
  const head = [(number << 3) | wire.bytes]
  let rest = bytes.length
  for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128)
  return Buffer.concat([Buffer.from([...head, rest]), bytes])
}

/** @returns undefined for what is not a message. */
export function decodeMessage(bytes: Buffer): CastMessage | undefined {
  const texts = new Map<number, string>()
  const known: readonly number[] = Object.values(field)
  let at = 0
  const readNumber = () => {
    let value = 0
    for (let factor = 1; factor < 2 ** 64; factor *= 128) {
      const byte = bytes[at] ?? Number.NaN
      at += 1
      value += (byte & 127) * factor
      if (!(byte > 127)) return byte >= 0 ? value : Number.NaN
    }
    return Number.NaN
  }
  while (at < bytes.length) {
    const tag = readNumber()
    const length = lengthOf(tag % 8, readNumber)
    const end = at + length
    // Also where there is no length.
    if (!(end <= bytes.length)) return undefined
    const number = Math.floor(tag / 8)
    if (known.includes(number) && tag % 8 === wire.bytes)
      texts.set(number, bytes.toString('utf8', at, end))
    at = end
  }
  const [source, destination, namespace] = [2, 3, 4].map((number) => texts.get(number))
  if (source === undefined || destination === undefined || namespace === undefined) return undefined
  const payload = objectOf(parseJson(texts.get(field.payload) ?? ''))
  return { source, destination, namespace, payload }
}

/** @returns NaN for an encoding that does not exist. */
function lengthOf(encoding: number, readNumber: () => number): number {
  if (encoding === wire.number) return readNumber() * 0
  if (encoding === wire.bytes) return readNumber()
  return { [wire.eightBytes]: 8, [wire.fourBytes]: 4 }[encoding] ?? Number.NaN
}
