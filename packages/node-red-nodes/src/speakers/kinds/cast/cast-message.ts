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
  const texts = readTexts(bytes)
  const source = texts?.get(field.source)
  const destination = texts?.get(field.destination)
  const namespace = texts?.get(field.namespace)
  if (source === undefined || destination === undefined || namespace === undefined) return undefined
  const payload = objectOf(parseJson(texts?.get(field.payload) ?? ''))
  return { source, destination, namespace, payload }
}

/** @returns the texts by the numbers of their fields; undefined for what is not a message. */
function readTexts(bytes: Buffer): ReadonlyMap<number, string> | undefined {
  const known: readonly number[] = Object.values(field)
  const texts = new Map<number, string>()
  let at = 0
  while (at < bytes.length) {
    const tag = readNumber(bytes, at)
    const place = tag && findValue(bytes, tag.end, tag.value % 8)
    if (!tag || !place || place.end > bytes.length) return undefined
    const number = Math.floor(tag.value / 8)
    if (known.includes(number) && tag.value % 8 === wire.bytes)
      texts.set(number, bytes.toString('utf8', place.start, place.end))
    at = place.end
  }
  return texts
}

/** @returns where the value is that begins here; undefined for an encoding that does not exist. */
function findValue(
  bytes: Buffer,
  start: number,
  encoding: number,
): { start: number; end: number } | undefined {
  if (encoding === wire.eightBytes) return { start, end: start + 8 }
  if (encoding === wire.fourBytes) return { start, end: start + 4 }
  if (encoding !== wire.number && encoding !== wire.bytes) return undefined
  const number = readNumber(bytes, start)
  if (!number || encoding === wire.number) return number && { start, end: number.end }
  return { start: number.end, end: number.end + number.value }
}

/** @returns undefined for a number without an end. */
function readNumber(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0
  let factor = 1
  for (let at = start; at < bytes.length && factor < 2 ** 64; at++) {
    const byte = bytes[at]!
    value += (byte & 127) * factor
    if (byte < 128) return { value, end: at + 1 }
    factor *= 128
  }
  return undefined
}
