import { readFileSync } from 'node:fs'
import { storedVoice } from '@parlando/test-support/local-service/stored-voice'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { parse } from 'yaml'
import { type Bytes, damaged } from './bytes.ts'
import { anyJson, mutated } from './json.ts'

export interface GivenRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Bytes | undefined
}

interface Operation {
  parameters?: { in: string; name: string }[]
  requestBody?: { content: { 'application/json'?: { example: object } } }
}

const description: { paths: Record<string, Record<string, Operation>> } = parse(
  readFileSync(new URL('../../../packages/local-service/openapi.yaml', import.meta.url), 'utf8'),
)

/** Every call of the service, with its valid body if it is JSON. */
const calls = Object.entries(description.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
    method: method.toUpperCase(),
    path: path.replace('{workspace}', 'default'),
    queryNames: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    body: requestBody?.content['application/json']?.example,
  })),
)

// A stored voice and one of the library.
const voiceIds = [storedVoice.voiceId, 'Clara']
const toPaths = (path: string) => voiceIds.map((voiceId) => path.replace('{voiceId}', voiceId))

const ids = [
  'Clara',
  'clara',
  'Clara:publish',
  'constructor',
  '__proto__',
  '.',
  '..',
  'local__',
  '',
  '../voices/Clara',
  '..\\Clara',
  '/etc/passwd',
  '\0',
  'a'.repeat(300),
  'local__../../x',
]
const id = fc.oneof(fc.constantFrom(...ids), fc.string({ unit: 'binary', maxLength: 8 }))
const encodedId = fc.oneof(
  id.map(encoded),
  fc.constantFrom('%', '%zz', '%00', '%2e%2e%2f', '%c3', '//', ';x=1', '#', '*'),
)

const filter = fc
  .constantFrom('source = "SYSTEM" AND tags:"calm"', 'lang_code = "en"')
  .chain(damaged)
const valuesOfParameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  languages: fc.oneof(fc.constantFrom('EN_US', 'en', 'x'), id),
  pageSize: fc.constantFrom('1', '0', '-1', '1e3', '0x10', 'NaN', '9'.repeat(30)),
  pageToken: fc.oneof(fc.base64String({ maxLength: 30 }), id),
  orderBy: fc.oneof(fc.constantFrom('display_name desc', 'lang_code,', ','), id),
  filter,
  voice_id: id,
  model_id: fc.oneof(fc.constantFrom('svc-tts-2', 'toString'), id),
}
// Any parameters for any call, so that most calls also get parameters that they do not have.
const query = fc.record(
  Object.fromEntries(
    calls
      .flatMap(({ queryNames }) => queryNames)
      .map((name) => [name, valuesOfParameters[name] ?? id]),
  ),
  { requiredKeys: [] },
)

const target = fc.oneof(
  fc
    .tuple(fc.constantFrom('GET', 'GET', 'DELETE', 'PATCH', 'PUT', 'OPTIONS'), encodedId)
    .chain(([method, name]) =>
      fc.constantFrom(
        { method, path: `/voices/v1/voices/${name}` },
        { method, path: `/voices/v1/workspaces/${name}/voices/Clara` },
        { method, path: `/${name}` },
        { method: 'POST', path: `/voices/v1/voices/${name}:publish` },
      ),
    ),
  fc
    .tuple(
      fc.constantFrom(
        ...calls.filter(({ method }) => method === 'GET').flatMap(({ path }) => toPaths(path)),
      ),
      query,
    )
    .map(([path, parameters]) => ({
      method: 'GET',
      // Above 16 KiB, Node itself responds with 431 and no body.
      path: `${path}?${new URLSearchParams(parameters as Record<string, string>)}`.slice(0, 8000),
    })),
)

const jsonBody = (good: unknown): fc.Arbitrary<Bytes> =>
  fc.oneof(
    { weight: 20, arbitrary: mutated(good, 1).map(toText) },
    { weight: 10, arbitrary: damaged(toText(good), 1) },
    { weight: 1, arbitrary: fc.constant(toText(good)) },
    { weight: 1, arbitrary: anyJson.map(toText) },
    { weight: 1, arbitrary: damaged('') },
  )

// Calls that read no body get one too.
const withBody = fc
  .constantFrom(
    ...calls
      .filter(({ method }) => method === 'POST' || method === 'PATCH')
      .flatMap(({ method, path, body = { displayName: 'Me' } }) =>
        toPaths(path).map((at) => ({ method, path: at, body })),
      ),
  )
  .chain(({ method, path, body }) =>
    fc.record({ method: fc.constant(method), path: fc.constant(path), body: jsonBody(body) }),
  )
const withoutBody = target.map((at) => ({ ...at, body: undefined }))

const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'constructor',
      '',
    ),
    'content-encoding': fc.constantFrom('gzip', 'br', 'identity'),
    accept: fc.constantFrom('*/*', 'text/html', 'application/json;q=x'),
    'x-request-id': fc.constantFrom('id-1', 'a'.repeat(1000), '<b>', '../../..'),
  },
  { requiredKeys: [] },
)
const authorization = fc.oneof(
  { weight: 20, arbitrary: fc.constant(`Basic ${keys.service}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      `Bearer ${keys.service}`,
      keys.service,
      'Basic',
      'Basic x',
      'constructor',
    ),
  },
)

/** A request that is valid, careless or hostile. */
export const anyRequest: fc.Arbitrary<GivenRequest> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: withBody }, { weight: 1, arbitrary: withoutBody }),
    headers,
    authorization,
  )
  .map(([request, others, secret]) => ({
    ...request,
    headers: { ...others, authorization: secret },
  }))

/** Half a surrogate pair cannot be encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))
}

/** A clone from damaged or invalid recordings. */
export function anyClone(files: readonly Bytes[]): fc.Arbitrary<GivenRequest> {
  const recording = fc.constantFrom(...files).chain((file) => damaged(file, 1))
  return fc
    .record({
      recordings: fc.array(recording, { minLength: 1, maxLength: 2 }),
      removeBackgroundNoise: fc.boolean(),
    })
    .map(({ recordings, removeBackgroundNoise }) => ({
      method: 'POST',
      path: '/voices/v1/voices:clone',
      headers: { authorization: `Basic ${keys.service}` },
      body: toText({
        displayName: 'Me',
        langCode: 'EN_US',
        voiceSamples: recordings.map((file) => ({
          audioData: Buffer.from(file, 'latin1').toString('base64'),
        })),
        audioProcessingConfig: { removeBackgroundNoise },
      }),
    }))
}

const spoken = { voiceId: 'Clara', modelId: 'svc-tts-2' }

/**
 * Requests with up to a megabyte of one repeated part, for the calls that read the most. Most are rejected, because an accepted
 * text costs the processor time of its first phrase.
 */
export const hugeRequests: readonly GivenRequest[] = [
  ...[
    ' ',
    '.',
    '?! ',
    '\\',
    '/',
    '</',
    '_',
    '中',
    '🙂',
    '\u0301',
    '<verbatim>',
    '[reset]',
    'a. ',
    '[a](',
  ].map((part) => huge('/tts/v1/voice:stream', { ...spoken, text: repeated(part, 100_000) })),
  ...['a', '<a', '\n'].map((part) =>
    huge('/tts/v1/voice', { ...spoken, text: 'Hi.', voiceId: repeated(part, 900_000) }),
  ),
  ...[' ', 'a', 'a ', '中', '\u0301'].map((part) =>
    huge('/v1/chat/completions', {
      model: 'svc/models/echo',
      messages: [{ role: 'user', content: repeated(part, 300_000) }],
    }),
  ),
  ...['[', '{}', '0,', '{"a":', '"a_b":1,'].flatMap((part) =>
    ['/voices/v1/voices:clone', '/v1/chat/completions'].map((path) =>
      huge(path, `{"model":"svc/models/echo","messages":[${repeated(part, 900_000)}`),
    ),
  ),
]

function huge(path: string, body: unknown): GivenRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const bytes = Buffer.from(text).toString('latin1')
  return { method: 'POST', path, headers: { authorization: `Basic ${keys.service}` }, body: bytes }
}

function repeated(fragment: string, characters: number): string {
  return fragment.repeat(Math.floor(characters / fragment.length))
}

function toText(json: unknown): Bytes {
  return Buffer.from(JSON.stringify(json) ?? '').toString('latin1')
}
