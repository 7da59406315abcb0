import { deepStrictEqual } from 'node:assert'
import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineReader } from './line-reader.ts'
import { readPlainLine, readSpeechLine } from './speech-line.ts'

const request = { what: 'Speech' }

/** The result of a parser, with errors as values, so that two parsers can be compared. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    const { name, code, message } = error as Error & { code: string }
    return { name, code, message }
  }
}

function readBothWays(line: string | Buffer) {
  const bytes = Buffer.from(line)
  return {
    fast: outcomeOf(() => readSpeechLine(bytes, 0, bytes.length, request)),
    plain: outcomeOf(() => readPlainLine(bytes.toString('utf8'), request)),
  }
}

const base64 = fc
  .uint8Array({ maxLength: 60 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))

/** Base64 as a service might malform it: escaped, unpadded, with line breaks, quotes or foreign characters. */
const audioText = fc.oneof(
  base64.map((text) => JSON.stringify(text)),
  base64.map((text) => JSON.stringify(text).replaceAll('/', '\\/')),
  base64.map((text) => JSON.stringify(text.replace(/=+$/, ''))),
  base64.map((text) => JSON.stringify(text.replaceAll('A', '\\u0041')).replaceAll('\\\\', '\\')),
  fc.tuple(base64, base64).map(([one, two]) => JSON.stringify(`${one}${two}`)),
  fc.tuple(base64, base64).map(([one, two]) => JSON.stringify(`${one}\n${two}`)),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)),
  fc.string({ maxLength: 20 }).map((text) => `"${text}"`),
  fc.constantFrom(
    'null',
    '7',
    '[]',
    '{}',
    'true',
    '""',
    '"',
    '"="',
    '"===="',
    '"(audio was here)"',
  ),
)

const blank = fc.constantFrom('', '', '', ' ', '\t', '  ', '\r')
const key = fc.constantFrom(
  'audioContent',
  'audioContent',
  'audioContent',
  'audio\\u0043ontent',
  'usage',
  'timestampInfo',
  'error',
  'result',
  'ünknown',
)
const value = fc.oneof(
  { weight: 3, arbitrary: audioText },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"audioContent"',
      '"\\"audioContent\\":\\"QUJD\\""',
      '"(audio was here)"',
    ),
  },
)
const members = fc.array(fc.tuple(key, value, blank, blank), { maxLength: 4 })

function toObject(list: [string, string, string, string][]): string {
  return `{${list.map(([name, text, before, after]) => `${before}"${name}"${after}:${before}${text}${after}`).join(',')}}`
}

const line = fc
  .tuple(members, fc.array(fc.tuple(key, value, blank, blank), { maxLength: 2 }), blank, blank)
  .chain(([inner, outer, before, after]) =>
    fc
      .constantFrom(
        `{"result":${toObject(inner)}}`,
        toObject([['result', toObject(inner), before, after], ...outer]),
        toObject([...outer, ['result', toObject(inner), before, after]]),
        toObject(inner),
      )
      .map((text) => `${before}${text}${after}`),
  )

describe('readSpeechLine', () => {
  it('parses every line as JSON.parse does', () => {
    fc.assert(
      fc.property(line, (text) => {
        const { fast, plain } = readBothWays(text)
        deepStrictEqual(fast, plain)
      }),
      { numRuns: propertyRuns(20_000) },
    )
  })

  it('parses lines with a character changed anywhere as JSON.parse does', () => {
    const good = '{"result":{"audioContent":"QUJDREVGRw==","usage":{"processedCharactersCount":3}}}'
    fc.assert(
      fc.property(
        fc.constantFrom(good, '{"result":{"audioContent":"QUJDREVG"}}'),
        fc.nat(90),
        fc.constantFrom('"', '\\', '=', ' ', 'é', '}', ',', '\t', '\0', '/', '-', '_', ''),
        (text, at, letter) => {
          const { fast, plain } = readBothWays(text.slice(0, at) + letter + text.slice(at + 1))
          deepStrictEqual(fast, plain)
        },
      ),
      { numRuns: propertyRuns(20_000) },
    )
  })

  it('parses a stream of lines cut anywhere as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), fc.array(fc.nat(2000)), (texts, cuts) => {
        const lines = texts.map((text) => text.replaceAll('\n', ' '))
        const bytes = Buffer.from(lines.join('\r\n'))
        const fast: unknown[] = []
        const reader = createLineReader({
          request,
          maxLineBytes: 1_000_000,
          spare: {},
          onLine: (piece, start, end) =>
            void fast.push(outcomeOf(() => readSpeechLine(piece, start, end, request))),
        })
        const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length]
        places.sort((first, second) => first - second)
        for (const [index, place] of places.entries()) {
          reader.push(bytes.subarray(places[index - 1] ?? 0, place))
        }
        reader.end()
        const plain = bytes
          .toString('utf8')
          .split('\n')
          .filter((text) => text !== '')
          .map((text) => outcomeOf(() => readPlainLine(text, request)))
        deepStrictEqual(fast, plain)
      }),
      { numRuns: propertyRuns(3_000) },
    )
  })

  it.each([
    ['only audio', '{"result":{"audioContent":"QUJD"}}', undefined],
    ['CRLF', '{"result":{"audioContent":"QUJD"}}\r', undefined],
    ['spaces', ' { "result" : { "audioContent" : "QUJD" } } ', undefined],
    ['more after it', '{"result":{"audioContent":"QUJD","usage":{}}}', { usage: {} }],
    ['more before it', '{"result":{"usage":{},"audioContent":"QUJD"}}', { usage: {} }],
  ])('returns the audio and the other members of a line with %s', (_what, text, facts) => {
    const bytes = Buffer.from(text)
    expect(readSpeechLine(bytes, 0, bytes.length, request)).toEqual({
      audio: Buffer.from('ABC'),
      facts,
      problem: undefined,
    })
  })

  it('returns nothing for white space, and the whole line if it is an error', () => {
    expect(readBothWays(' \t ').fast).toBeUndefined()
    const problem = { error: { code: 5, message: 'gone' } }
    expect(readBothWays(JSON.stringify(problem)).fast).toMatchObject({ problem })
    const bare = { code: 8, message: 'Too many requests' }
    expect(readBothWays(JSON.stringify(bare)).fast).toMatchObject({ problem: bare })
  })

  it.each(['AA$A', 'QUJD=QUJD', 'QUJDR', 'QUJD====', 'audio'])(
    'rejects audio that is not base64: %s',
    (audioContent) => {
      const { fast } = readBothWays(JSON.stringify({ result: { audioContent } }))
      expect(fast).toMatchObject({
        code: 'BAD_RESPONSE',
        message: 'Speech failed: the audio in the response is not base64',
      })
    },
  )
})
