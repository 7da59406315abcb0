import { describe, expect, it } from 'vitest'
import { createLineReader, type SpareBuffer } from './line-reader.ts'

const request = { what: 'Speech' }

function readLines(pieces: Uint8Array[], maxLineBytes = 1000): string[] {
  const lines: string[] = []
  const reader = createLineReader({
    request,
    maxLineBytes,
    spare: {},
    onLine: (bytes, start, end) => void lines.push(bytes.toString('utf8', start, end)),
  })
  for (const piece of pieces) reader.push(Buffer.from(piece))
  reader.end()
  return lines
}

describe('createLineReader', () => {
  const lines = ['grüß 👋 dich', '{"a":1}', 'x'.repeat(500), 'last']
  const bytes = Buffer.from(lines.join('\n'))

  it('reads the same lines wherever the bytes are cut in two', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(readLines([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(lines)
    }
  })

  it('reads bytes that arrive one at a time', () => {
    expect(readLines([...bytes].map((byte) => Buffer.of(byte)))).toEqual(lines)
  })

  it('skips empty lines', () => {
    expect(readLines([Buffer.from('\n\na\n\n'), Buffer.from('\nb\n\n')])).toEqual(['a', 'b'])
  })

  it('reads lines that are longer than its buffer', () => {
    const long = ['a'.repeat(100_000), 'b', 'c'.repeat(300_000)]
    const input = Buffer.from(long.join('\n'))
    const pieces = Array.from({ length: Math.ceil(input.length / 1400) }, (_, index) =>
      input.subarray(index * 1400, (index + 1) * 1400),
    )
    expect(readLines(pieces, 1_000_000)).toEqual(long)
  })

  it('hands on its buffer to the next reader, unless it has become large', () => {
    const spare: SpareBuffer = {}
    const read = (line: string) => {
      const reader = createLineReader({ request, maxLineBytes: 1_000_000, spare, onLine: () => {} })
      reader.push(Buffer.from(line))
      reader.push(Buffer.from('\n'))
    }
    read('first')
    const first = spare.buffer
    read('second')
    expect(first).toBeInstanceOf(Buffer)
    expect(spare.buffer).toBe(first)
    read('x'.repeat(300_000))
    expect(spare.buffer).toBe(undefined)
  })

  it('keeps the lines of several readers apart when their pieces alternate', () => {
    const spare = {}
    const readers = ['a', 'b', 'c'].map((letter) => {
      const read: string[] = []
      const onLine = (bytes: Buffer, start: number, end: number) =>
        void read.push(bytes.toString('utf8', start, end))
      return {
        letter,
        read,
        reader: createLineReader({ request, maxLineBytes: 1000, spare, onLine }),
      }
    })
    for (let turn = 0; turn < 30; turn++) {
      for (const [index, { letter, reader }] of readers.entries()) {
        const isLast = turn % (index + 2) === index + 1
        reader.push(Buffer.from(isLast ? `${letter}\n` : letter.repeat(20)))
      }
    }
    for (const [index, { letter, read }] of readers.entries()) {
      const lines = Math.floor(30 / (index + 2))
      expect(read).toEqual(Array(lines).fill(letter.repeat(20 * (index + 1) + 1)))
    }
  })

  it('accepts a line of exactly the limit and rejects one byte more before the line ends', () => {
    expect(readLines([Buffer.from(`${'x'.repeat(100)}\n`)], 100)).toEqual(['x'.repeat(100)])
    expect(() => readLines([Buffer.from(`${'x'.repeat(101)}\n`)], 100)).toThrow(
      expect.objectContaining({ code: 'LINE_TOO_LONG' }),
    )
    expect(() => readLines(Array(11).fill(Buffer.alloc(10, 'x')), 100)).toThrow(
      expect.objectContaining({ code: 'LINE_TOO_LONG' }),
    )
  })
})
