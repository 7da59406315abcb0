import { describe, expect, it } from 'vitest'
import { createEventParser } from './sse.ts'

function readPieces(pieces: Uint8Array[], maxEventCharacters = 1000): string[] {
  const { parser, events } = collectingParser(maxEventCharacters)
  for (const piece of pieces) parser.push(piece)
  parser.end()
  return events
}

function collectingParser(maxEventCharacters: number) {
  const events: string[] = []
  const onEvent = (data: string) => void events.push(data)
  return {
    parser: createEventParser({
      maxEventCharacters,
      onEvent,
      toError: (fault, problem) => new Error(`${fault}: ${problem}`),
    }),
    events,
  }
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

  it('reads the same events wherever the network cuts the bytes', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(readPieces([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(texts)
    }
  })

  it('reads bytes that arrive one at a time', () => {
    expect(readPieces([...bytes].map((byte) => Buffer.of(byte)))).toEqual(texts)
  })

  it('ignores everything after [DONE] and reports that it arrived', () => {
    const { parser, events } = collectingParser(100)
    parser.push(Buffer.from('data: a\n\n'))
    expect(parser.isDone).toBe(false)
    parser.push(Buffer.from('data: [DONE]\n\ndata: b\n\n'))
    expect(parser.isDone).toBe(true)
    parser.push(Buffer.from('data: c\n\n'))
    parser.end()
    expect(events).toEqual(['a'])
  })

  it('accepts a last event without its blank line, and [DONE] without its line break', () => {
    expect(readText('data: a\n\ndata: b')).toEqual(['a', 'b'])
    expect(readText('data: a\n\ndata: [DONE]')).toEqual(['a'])
  })

  it('treats a line of bare JSON as data', () => {
    expect(readText('data: a\n\n{"error":{"code":14}}\n')).toEqual(['a', '{"error":{"code":14}}'])
  })

  it('ignores unknown fields', () => {
    expect(readText('mood: good\nretry: soon\ndata: a\n\n')).toEqual(['a'])
  })

  it('rejects an HTML page', () => {
    expect(() => readText('<!doctype html>\n<p>Busy</p>\n')).toThrow(
      'html: the response is an HTML page',
    )
  })

  it.each([
    ['arrives whole', ['data: a\n\n', `data: ${'x'.repeat(101)}\n\n`]],
    ['is incomplete', ['data: a\n\n', 'data: ', 'x'.repeat(200)]],
    [
      'consists of many short lines',
      ['data: a\n\n', ...Array<string>(20).fill('data: 0123456789\n')],
    ],
  ])('delivers the valid events, then rejects one above the limit that %s', (_name, pieces) => {
    const { parser, events } = collectingParser(100)
    const readAll = () => {
      for (const piece of pieces) parser.push(Buffer.from(piece))
    }
    expect(readAll).toThrow('too-long: an event in the response is longer than the limit of 100')
    expect(events).toEqual(['a'])
  })

  it('accepts an event of exactly the limit', () => {
    expect(readText(`data: ${'x'.repeat(100)}\n\n`, 100)).toEqual(['x'.repeat(100)])
  })
})
