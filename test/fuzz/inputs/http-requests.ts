import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import type { Bytes } from './bytes.ts'

/** A request that is legal HTTP, though hardly any client would send it like this. */
export interface OddRequest {
  method: string
  /** Whether it has the version 1.0, which knows neither chunks nor interim responses. */
  isHttp10: boolean
  expectsContinue: boolean
  /** Whether no other request may follow it over the same connection. */
  isLast: boolean
  /** The request as it is sent. */
  bytes: Bytes
}

const speech = JSON.stringify({ text: 'Hi.', voiceId: 'Clara', modelId: 'svc-tts-2' })
const bodies: Bytes[] = [speech, '{}', '', 'x'.repeat(70_000), '\0\xff', `${speech}\n`]

const paths = [
  '/voices/v1/voices',
  '/voices/v1/voices?pageSize=1',
  '/voices/v1/voices/Clara',
  '/tts/v1/voice',
  '/tts/v1/voice:stream',
  '/tts/v1/voice%3Astream',
  '/v1/models',
  '/v1/chat/completions',
  '/v1/audio/speech',
  '/health',
  '/metrics',
  '/openapi.yaml',
  '/',
  '//',
  '/?',
  '/./voices/v1/voices',
  '/voices/v1/../v1/voices',
  '/%',
  '/%00',
  '/%c3%28',
  '/unknown;a=b',
  `/${'a'.repeat(3000)}`,
  '/?q="<>',
]
const hosts = ['localhost', '127.0.0.1:80', 'LocalHost:1', '[::1]', 'example.com', '']
const origins = ['http://localhost', 'HTTP://LocalHost:80', 'http://example.com', 'https://[::1]:1']
const methods = [
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
  'REPORT',
]
const usualMethods = ['GET', 'GET', 'POST', 'POST', 'POST', 'HEAD', 'OPTIONS']
/** Legal, but unknown to Node. */
const unknownMethod = 'BREW'

const target = fc
  .constantFrom(...paths)
  .chain((path) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(path) },
      { weight: 2, arbitrary: fc.constantFrom(...origins).map((origin) => origin + path) },
      { weight: 1, arbitrary: fc.constantFrom(...origins) },
    ),
  )
const line: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.constantFrom(...usualMethods), target) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...methods), target) },
  { weight: 1, arbitrary: fc.constant(['OPTIONS', '*'] as const) },
  { weight: 1, arbitrary: fc.constant([unknownMethod, '/'] as const) },
)

const anyHeader: fc.Arbitrary<[string, string]> = fc.constantFrom<[string, string]>(
  ['Accept', '*/*'],
  ['Accept', 'text/html;q=0.1, audio/*, */*;q=0'],
  ['Accept-Encoding', 'gzip, br;q=0.5, *;q=0'],
  ['Accept-Language', 'de'],
  ['X-Request-Id', 'one'],
  ['X-Request-Id', '\xe9\xff'],
  ['X-Note', ''],
  ['X-Folded', 'one\r\n two\r\n\tthree'],
  ['X-Long', 'a'.repeat(3000)],
  ["x!#$%&'*+-.^_`|~", 'a name of odd characters'],
  ['__proto__', 'polluted'],
  ['constructor', '1'],
  ['Origin', 'http://localhost'],
  ['Origin', 'null'],
  ['Access-Control-Request-Method', 'POST'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-Host', 'example.com'],
  ['Max-Forwards', '0'],
  ['Cookie', 'a=b; c="d"'],
  ['TE', 'trailers, deflate;q=0.5'],
  ['Upgrade', 'h2c, irc/6.9'],
  ['Upgrade', 'websocket'],
  ['Connection', 'Upgrade, HTTP2-Settings'],
  ['HTTP2-Settings', 'AAMAAABkAAQAAP__'],
  ['Connection', 'keep-alive, x-note'],
  ['Connection', 'close'],
  ['Keep-Alive', 'timeout=5, max=1000'],
  ['Content-Type', 'application/json'],
  ['Content-Type', 'APPLICATION/JSON; Charset="UTF-8"; a="\\""'],
  ['Content-Encoding', 'identity'],
  ['Content-Encoding', 'gzip'],
  ['Trailer', 'X-Sum'],
)
const authorization = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constant<[string, string][]>([['Authorization', `Basic ${keys.service}`]]),
  },
  {
    weight: 1,
    arbitrary: fc.constant<[string, string][]>([['Authorization', `bearer   ${keys.service}`]]),
  },
  { weight: 1, arbitrary: fc.constant<[string, string][]>([]) },
)

/** Names have no case, and white space around a value does not count. */
const spelling = fc.record({
  spell: fc.constantFrom(
    (name: string) => name,
    (name: string) => name.toLowerCase(),
    (name: string) => name.toUpperCase(),
    (name: string) =>
      name.replace(/../g, ([first = '', second = '']) => first + second.toUpperCase()),
  ),
  before: fc.constantFrom('', ' ', '\t', ' \t  '),
  after: fc.constantFrom('', '', ' ', '\t '),
})

/** A body as it is sent, and the header that states its length. */
interface Framed {
  header: [string, string][]
  sent: Bytes
  isChunked?: boolean
}

const none: fc.Arbitrary<Framed> = fc.constant({ header: [], sent: '' })
const withLength: fc.Arbitrary<Framed> = fc
  .tuple(fc.constantFrom(...bodies), fc.constantFrom('', '', '000'))
  .map(([body, zeros]) => ({ header: [['Content-Length', zeros + body.length]], sent: body }))
const inChunks: fc.Arbitrary<Framed> = fc
  .record({
    body: fc.constantFrom(...bodies),
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
    digits: fc.constantFrom(
      (size: number) => size.toString(16),
      (size: number) => size.toString(16).toUpperCase().padStart(8, '0'),
    ),
    extension: fc.constantFrom('', '', ';a', ';a=b', ';a="b c"', ';a;b=c;d="\\""'),
    trailers: fc.constantFrom('', '', 'X-Sum: 1\r\n', 'x-sum:\r\nAuthorization: no\r\n'),
    coding: fc.constantFrom('chunked', 'Chunked', 'CHUNKED'),
  })
  .map(({ body, sizes, digits, extension, trailers, coding }) => {
    const chunks = cut(body, sizes).map(
      (chunk) => `${digits(chunk.length)}${extension}\r\n${chunk}\r\n`,
    )
    return {
      header: [['Transfer-Encoding', coding]],
      isChunked: true,
      sent: `${chunks.join('')}0${extension}\r\n${trailers}\r\n`,
    }
  })
const framed = fc.oneof(
  { weight: 3, arbitrary: none },
  { weight: 2, arbitrary: withLength },
  { weight: 2, arbitrary: inChunks },
)

function cut(body: Bytes, sizes: readonly number[]): Bytes[] {
  const chunks: Bytes[] = []
  let rest = body
  for (const size of sizes) {
    chunks.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return [...chunks, rest].filter((chunk) => chunk !== '')
}

const oddRequest: fc.Arbitrary<OddRequest> = fc
  .record({
    line,
    host: fc.constantFrom(...hosts),
    others: fc.array(anyHeader, { maxLength: 6 }),
    authorization,
    expectation: fc.constantFrom('', '', '', '100-continue', '100-Continue'),
    framed,
    spelling,
    isHttp10: fc.constantFrom(false, false, false, true),
    emptyLines: fc.constantFrom('', '', '\r\n', '\r\n\r\n'),
  })
  .map(({ line: [method, path], host, framed, isHttp10, emptyLines, ...given }) => {
    const { spell, before, after } = given.spelling
    // The older version has no chunks, and no interim responses.
    const { header, sent } = isHttp10 && framed.isChunked ? noBody : framed
    const expectsContinue = !isHttp10 && given.expectation !== '' && sent !== ''
    const headers = [
      ['Host', host],
      ...given.others,
      ...given.authorization,
      ...(expectsContinue ? [['Expect', given.expectation]] : []),
      ...header,
    ].map(([name = '', value = '']) => `${spell(name)}:${before}${value}${after}\r\n`)
    const version = isHttp10 ? '1.0' : '1.1'
    const bytes = `${emptyLines}${method} ${path} HTTP/${version}\r\n${headers.join('')}\r\n${sent}`
    // Node drops what follows an offer of another protocol that it does not accept.
    const isLast =
      isHttp10 || given.others.some(([name, value]) => name === 'Upgrade' || value === 'close')
    return { method, isHttp10, expectsContinue, isLast, bytes }
  })

const noBody: Framed = { header: [], sent: '' }

/** The requests that a client sends over one connection, without waiting for the responses. */
export const oddRequests: fc.Arbitrary<OddRequest[]> = fc
  .array(oddRequest, { minLength: 1, maxLength: 4 })
  .map((requests) => {
    const last = requests.findIndex(({ isLast }) => isLast)
    return last < 0 ? requests : requests.slice(0, last + 1)
  })
