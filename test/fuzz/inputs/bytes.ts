import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'

/** Bytes as Latin-1 characters, so that a failure prints readable text. */
export type Bytes = string

/** Fragments of JSON, valid or not, and separators between lines and events. */
const junk: fc.Arbitrary<Bytes> = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u0000',
    '\\ud800',
    '\n',
    '\r',
    '\r\n\r\n',
    '\0',
    'null',
    'true',
    '1e999',
    '-0',
    '123456789012345678901234567890',
    '""',
    '"QUJD"',
    '"=A=="',
    'data: ',
    'data: [DONE]\n\n',
    ': ping\n\n',
    'event: x\n',
    'retry: 1\n',
    '{"error":"no"}\n',
    '{"error":{"code":5,"message":"gone"}}\n',
    '{"error":{"code":"constructor"}}\n',
    'event: ',
    `{"error":{"code":16,"message":"There is no key ${keys.service}."}}\n`,
    '\xef\xbb\xbf',
    '\xc3',
    '\xff\xfe',
    '\xf0\x9f\x91',
    '\xed\xa0\x80',
    '<html>',
    '[DONE]',
    ' ',
    '['.repeat(3000),
    '{"a":'.repeat(3000),
    '.'.repeat(5000),
    '\n'.repeat(500),
  ),
  fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((bytes) => Buffer.from(bytes).toString('latin1')),
)

type Damage = (bytes: Bytes, at: number, count: number, junk: Bytes) => Bytes

const aValue = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g

const damages: Record<string, Damage> = {
  cut: (bytes, at) => bytes.slice(0, at),
  overwrite: (bytes, at, _count, put) => bytes.slice(0, at) + put + bytes.slice(at + put.length),
  insert: (bytes, at, _count, put) => bytes.slice(0, at) + put + bytes.slice(at),
  remove: (bytes, at, count) => bytes.slice(0, at) + bytes.slice(at + count),
  repeat: (bytes, at, count) => bytes.slice(0, at + count) + bytes.slice(at),
  replaceValue: (bytes, at, _count, put) => {
    aValue.lastIndex = at
    const found = aValue.exec(bytes)
    if (!found) return bytes
    return bytes.slice(0, found.index) + put + bytes.slice(found.index + found[0].length)
  },
  doubleLine: (bytes, at) => onLines(bytes, at, (line) => [line, line]),
  dropLine: (bytes, at) => onLines(bytes, at, () => []),
  addLine: (bytes, at, _count, put) => onLines(bytes, at, (line) => [line, put]),
  moveLine: (bytes, at) => {
    const lines = bytes.split('\n')
    const [moved = ''] = lines.splice(at % lines.length, 1)
    return [moved, ...lines].join('\n')
  },
  withCarriageReturns: (bytes) => bytes.replaceAll('\n', '\r\n'),
  withoutLastNewline: (bytes) => bytes.replace(/\n+$/, ''),
}

function onLines(bytes: Bytes, at: number, change: (line: Bytes) => Bytes[]): Bytes {
  const lines = bytes.split('\n')
  return lines
    .flatMap((line, index) => (index === at % lines.length ? change(line) : line))
    .join('\n')
}

/**
 * The bytes, damaged in up to three places.
 * @param minLength the minimum number of places. Default 0: the bytes may be unchanged.
 */
export function damaged(good: Bytes, minLength = 0): fc.Arbitrary<Bytes> {
  const damage = fc.tuple(
    fc.constantFrom(...Object.keys(damages)),
    fc.nat(Math.max(0, good.length - 1)),
    fc.integer({ min: 1, max: 40 }),
    junk,
  )
  return fc
    .array(damage, { minLength, maxLength: 3 })
    .map((list) =>
      list.reduce((bytes, [name, at, count, put]) => damages[name]!(bytes, at, count, put), good),
    )
}

/** The positions at which a body is cut into pieces: random ones, or every byte at its start. */
export const cuts: fc.Arbitrary<number[]> = fc.oneof(
  { weight: 20, arbitrary: fc.array(fc.nat(1000), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 60 }, (_, place) => place)) },
)

export function pieces(bytes: Bytes, places: readonly number[] = []): Buffer[] {
  const body = Buffer.from(bytes, 'latin1')
  const inside = [...new Set(places)].filter((place) => place > 0 && place < body.length)
  const ends = [...inside.sort((first, second) => first - second), body.length]
  return ends.map((end, index) => body.subarray(ends[index - 1] ?? 0, end))
}

/** Counts the parts, from the first on, that the bytes contain unchanged. */
export function untouchedParts(bytes: Bytes, parts: readonly Bytes[]): number {
  let end = 0
  const firstTouched = parts.findIndex((part) => {
    const isIntact = bytes.startsWith(part, end)
    end += part.length
    return !isIntact
  })
  return firstTouched === -1 ? parts.length : firstTouched
}
