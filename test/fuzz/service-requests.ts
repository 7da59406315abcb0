import { keys } from '@parlando/test-support/keys'
import { storedVoice } from '@parlando/test-support/local-service/stored-voice'
import fc from 'fast-check'
import { type Bytes, damaged } from './bytes.ts'
import { anyJson, bent } from './json.ts'
import { wav } from './speech-lines.ts'

export interface GivenRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Bytes | undefined
}

// The cheapest voice, because a valid request costs much more than a rejected one.
const speech = {
  text: 'Hi.',
  voiceId: 'Kit',
  modelId: 'svc-tts-2-flash',
  audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 16_000 },
  language: 'en-US',
}
const speechBytes = { input: 'Hi.', voice: 'Kit', model: 'svc-tts-2-flash', response_format: 'pcm' }
const clone = {
  displayName: 'Me',
  langCode: 'EN_US',
  // Valid, but without speech to measure.
  voiceSamples: [{ audioData: wav(16_000, 0).toString('base64'), transcription: 'Hi.' }],
  audioProcessingConfig: { removeBackgroundNoise: true },
  tags: ['warm'],
}
const question = {
  model: 'svc/models/echo',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'text', text: 'Hi.' }] },
  ],
  stream: true,
  stream_options: { include_usage: true },
  max_tokens: 5,
  stop: ['x'],
}

/** Every endpoint with a body, and a valid body. */
const posts: [string, string, unknown][] = [
  ['POST', '/tts/v1/voice', speech],
  ['POST', '/tts/v1/voice:stream', { ...speech, timestampType: 'WORD' }],
  ['POST', '/v1/audio/speech', speechBytes],
  ['POST', '/v1/chat/completions', question],
  ['POST', '/voices/v1/voices:clone', clone],
  ['POST', '/voices/v1/workspaces/default/voices:clone', clone],
  ['POST', '/voices/v1/voices:design', { langCode: 'EN_US', designPrompt: 'Calm.' }],
  ['POST', `/voices/v1/voices/${storedVoice.voiceId}:publish`, { displayName: 'Me' }],
  ['PATCH', `/voices/v1/voices/${storedVoice.voiceId}`, { displayName: 'Gran', tags: ['family'] }],
  ['PATCH', '/voices/v1/voices/Clara', { description: 'Calm.' }],
]

const lists = ['/voices/v1/voices', '/voices/v1/workspaces/w/voices', '/tts/v1/voices']
const ids = [
  ...['Clara', 'clara', 'Clara:publish', 'constructor', '__proto__', '.', '..', 'local__', ''],
  ...['../voices/Clara', '..\\Clara', '/etc/passwd', '\0', 'a'.repeat(300), 'local__../../x'],
]
const id = fc.oneof(fc.constantFrom(...ids), fc.string({ unit: 'binary', maxLength: 8 }))
const encodedId = fc.oneof(
  id.map(encoded),
  fc.constantFrom('%', '%zz', '%00', '%2e%2e%2f', '%c3', '//', ';x=1', '#', '*'),
)

const filter = fc
  .constantFrom('source = "SYSTEM" AND tags:"calm"', 'lang_code = "en"')
  .chain(damaged)
const query = fc.record(
  {
    languages: fc.oneof(fc.constantFrom('EN_US', 'en', 'x'), id),
    pageSize: fc.constantFrom('1', '0', '-1', '1e3', '0x10', 'NaN', '9'.repeat(30)),
    pageToken: fc.oneof(fc.base64String({ maxLength: 30 }), id),
    orderBy: fc.oneof(fc.constantFrom('display_name desc', 'lang_code,', ','), id),
    filter,
    voice_id: id,
    model_id: fc.oneof(fc.constantFrom('svc-tts-2', 'toString'), id),
  },
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
  fc.tuple(fc.constantFrom(...lists, '/tts/v1/voice:preview'), query).map(([path, asked]) => ({
    method: 'GET',
    // Above 16 KiB, Node itself responds with 431 and no body.
    path: `${path}?${new URLSearchParams(asked)}`.slice(0, 8000),
  })),
)

const jsonBody = (good: unknown): fc.Arbitrary<Bytes> =>
  fc.oneof(
    { weight: 20, arbitrary: bent(good, 1).map(toText) },
    { weight: 10, arbitrary: damaged(toText(good), 1) },
    { weight: 1, arbitrary: fc.constant(toText(good)) },
    { weight: 1, arbitrary: anyJson.map(toText) },
    { weight: 1, arbitrary: damaged('') },
  )

const withBody = fc
  .constantFrom(...posts)
  .chain(([method, path, good]) =>
    fc.record({ method: fc.constant(method), path: fc.constant(path), body: jsonBody(good) }),
  )
const withoutBody = target.map((at) => ({ ...at, body: undefined }))

const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      ...['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'constructor', ''],
    ),
    'content-encoding': fc.constantFrom('gzip', 'br', 'identity'),
    accept: fc.constantFrom('*/*', 'text/html', 'application/json;q=x'),
    'x-request-id': fc.constantFrom('id-1', 'a'.repeat(1000), '<b>', '../..'),
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

function toText(json: unknown): Bytes {
  return Buffer.from(JSON.stringify(json) ?? '').toString('latin1')
}
