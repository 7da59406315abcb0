import { describe, expect, it } from 'vitest'
import { createEventParser } from './sse.ts'

function readPieces(pieces: Uint8Array[], maxEventCharacters = 1000): string[] {
  const parser = createEventParser({ maxEventCharacters })
  return [...pieces.flatMap((piece) => [...parser.push(piece)]), ...parser.end()]
}

function readText(text: string, maxEventCharacters?: number): string[] {
  return readPieces([Buffer.from(text)], maxEventCharacters)
}

describe('createEventParser', () => {
  const texts = ['grüß 👋 dich', '{"a":"\\n"}', 'two\nlines']
  const body = [
    '\ufeff: hello\nevent: chunk\nid: 1\ndata: grüß 👋 dich\n\n',
    'data:{"a":"\\n"}\r\n\r\n: keep-alive\r\n\r\n',
    'data: two\ndata: lines\n\n',
    'data: [DONE]\n\ndata: after\n\n',
  ].join('')
  const bytes = Buffer.from(body)

  it('reads the same events wherever the bytes are cut in two', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(readPieces([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(texts)
    }
  })

  it('reads bytes that come one at a time', () => {
    expect(readPieces([...bytes].map((byte) => Buffer.of(byte)))).toEqual(texts)
  })

  it('reads nothing after [DONE] and tells that it came', () => {
    const parser = createEventParser({ maxEventCharacters: 100 })
    expect([...parser.push(Buffer.from('data: a\n\n'))]).toEqual(['a'])
    expect(parser.isDone).toBe(false)
    expect([...parser.push(Buffer.from('data: [DONE]\n\ndata: b\n\n'))]).toEqual([])
    expect(parser.isDone).toBe(true)
    expect([...parser.push(Buffer.from('data: c\n\n')), ...parser.end()]).toEqual([])
  })

  it('takes a last event without its blank line, and [DONE] without its line break', () => {
    expect(readText('data: a\n\ndata: b')).toEqual(['a', 'b'])
    expect(readText('data: a\n\ndata: [DONE]')).toEqual(['a'])
  })

  it('takes a line of bare JSON for data', () => {
    expect(readText('data: a\n\n{"error":{"code":14}}\n')).toEqual(['a', '{"error":{"code":14}}'])
  })

  it('passes over fields it does not know', () => {
    expect(readText('mood: good\nretry: soon\ndata: a\n\n')).toEqual(['a'])
  })

  it('refuses a page of HTML', () => {
    expect(() => readText('<!doctype html>\n<p>Busy</p>\n')).toThrow(
      expect.objectContaining({ name: 'ProtocolError', code: 'BAD_RESPONSE' }),
    )
  })

  it.each([
    ['that came whole', ['data: a\n\n', `data: ${'x'.repeat(101)}\n\n`]],
    ['whose end has not come', ['data: a\n\n', 'data: ', 'x'.repeat(200)]],
    ['of many short lines', ['data: a\n\n', ...Array<string>(20).fill('data: 0123456789\n')]],
  ])('hands out the good events, then refuses one above the limit %s', (_name, pieces) => {
    const parser = createEventParser({ maxEventCharacters: 100 })
    const read: string[] = []
    const readAll = () => {
      for (const piece of pieces)
        for (const data of parser.push(Buffer.from(piece))) read.push(data)
    }
    expect(readAll).toThrow(
      expect.objectContaining({ name: 'ProtocolError', code: 'LINE_TOO_LONG' }),
    )
    expect(read).toEqual(['a'])
  })

  it('takes an event of exactly the limit', () => {
    expect(readText(`data: ${'x'.repeat(100)}\n\n`, 100)).toEqual(['x'.repeat(100)])
  })
})
