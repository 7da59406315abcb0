import { describe, expect, it } from 'vitest'
import { createNdjsonParser } from './ndjson.ts'

const maxLineBytes = 1000

function parsePieces(pieces: Uint8Array[], limit = maxLineBytes): unknown[] {
  const parser = createNdjsonParser({ maxLineBytes: limit })
  return [...pieces.flatMap((piece) => [...parser.push(piece)]), ...parser.end()]
}

describe('createNdjsonParser', () => {
  const values = [{ text: 'grüß 👋 dich' }, { text: 'a\\n"b"' }, [1, 2], 'last']
  const bytes = Buffer.from(`${values.map((value) => JSON.stringify(value)).join('\r\n\n')}`)

  it('reads the same values wherever the bytes are cut in two', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(parsePieces([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(values)
    }
  })

  it('reads bytes that come one at a time', () => {
    expect(parsePieces([...bytes].map((byte) => Buffer.of(byte)))).toEqual(values)
  })

  it('passes over blank lines and lines of spaces', () => {
    expect(parsePieces([Buffer.from('\n\r\n  \n{"a":1}\n\n')])).toEqual([{ a: 1 }])
  })

  it('hands out the good lines before it refuses a bad one, by its number', () => {
    const parser = createNdjsonParser({ maxLineBytes })
    const read: unknown[] = []
    const readAll = () => {
      for (const value of parser.push(Buffer.from('{"a":1}\n{"b":\n'))) read.push(value)
    }
    expect(readAll).toThrow(
      expect.objectContaining({ code: 'BAD_ANSWER', message: 'Line 2 of the answer is not JSON' }),
    )
    expect(read).toEqual([{ a: 1 }])
  })

  it('takes a line of exactly the limit and refuses one byte more, before its end has come', () => {
    const line = JSON.stringify('x'.repeat(98))
    expect(parsePieces([Buffer.from(`${line}\n`)], 100)).toEqual(['x'.repeat(98)])
    expect(() => parsePieces([Buffer.from(`"${'x'.repeat(100)}`)], 100)).toThrow(
      expect.objectContaining({ code: 'LINE_TOO_LONG' }),
    )
  })

  it('counts the limit over all the pieces of a line', () => {
    const pieces = Array.from({ length: 11 }, () => Buffer.alloc(10, 'x'))
    expect(() => parsePieces(pieces, 100)).toThrow(
      expect.objectContaining({ code: 'LINE_TOO_LONG' }),
    )
  })
})
