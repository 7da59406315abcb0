import { gzipSync } from 'node:zlib'
import type { Client } from '@parlando/core'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import type { ScriptedResponse } from '../setups/scripted-server.ts'
import { type Bytes, cuts, damaged, pieces } from './bytes.ts'
import { mutated } from './json.ts'
import { wav } from './speech-lines.ts'

type Call = (client: Client) => Promise<unknown>

const speech = { text: 'Hi.', voiceId: 'Clara', modelId: 'svc-tts-2' }
const voice = { voiceId: 'Clara', displayName: 'Clara', langCode: 'EN_US', tags: ['warm'] }
const clone = { displayName: 'Me', langCode: 'EN_US', samples: [wav(16_000, 4)] }
const design = { langCode: 'EN_US', designPrompt: 'A calm voice that reads the news at night.' }
const question = { model: 'auto', messages: [{ role: 'user' as const, content: 'Hi.' }] }
const audioContent = 'AAECAwQF'
const timestampInfo = {
  wordAlignment: {
    words: ['Hi.'],
    wordStartTimeSeconds: [0],
    wordEndTimeSeconds: [0.2],
    phoneticDetails: [
      {
        wordIndex: 0,
        phones: [
          {
            phoneSymbol: 'h',
            startTimeSeconds: 0,
            durationSeconds: 0.2,
            visemeSymbol: 'cdgknstxyz',
          },
        ],
      },
    ],
  },
}
const turn = { role: 'assistant', content: 'Hi.', reasoning: 'Hm.', audio: { data: 'AAEC' } }
const remarks = [{ langCode: 'EN_US', transcription: '', warnings: [{ text: 'short' }] }]

/** Every client method with a JSON response, and a valid response. */
const calls: [string, Call, unknown][] = [
  ['synthesize', (client) => client.synthesize(speech), { audioContent, timestampInfo }],
  ['listVoices', (client) => client.listVoices(), { voices: [voice], nextPageToken: '' }],
  ['getVoice', (client) => client.getVoice('Clara'), voice],
  ['updateVoice', (client) => client.updateVoice({ voiceId: 'Clara', tags: [] }), voice],
  ['deleteVoice', (client) => client.deleteVoice('Clara'), {}],
  ['cloneVoice', (client) => client.cloneVoice(clone), { voice, audioSamplesValidated: remarks }],
  [
    'designVoice',
    (client) => client.designVoice(design),
    { langCode: 'EN_US', previewVoices: [{ voiceId: 'd', previewAudio: audioContent }] },
  ],
  [
    'exportVoice',
    (client) => client.exportVoice('local__me'),
    { parlandoVoice: 1, voice: { displayName: 'Me', langCode: 'EN_US' } },
  ],
  [
    'importVoice',
    (client) =>
      client.importVoice({ parlandoVoice: 1, voice: { displayName: 'Me', langCode: 'EN_US' } }),
    voice,
  ],
  ['publishVoice', (client) => client.publishVoice({ voiceId: 'Clara' }), { voice }],
  [
    'previewVoice',
    (client) => client.previewVoice({ voiceId: 'Clara', modelId: 'svc-tts-2' }),
    { audioContent },
  ],
  [
    'chat',
    (client) => client.chat(question),
    { model: 'small-2', choices: [{ message: turn, finish_reason: 'stop' }], usage: {} },
  ],
  [
    'listTranscriptionModels',
    (client) => client.listTranscriptionModels(),
    { models: [{ modelId: 'sherpa/small', langCodes: ['EN_US'], timesWords: true }] },
  ],
  [
    'listLocalModels',
    (client) => client.listLocalModels(),
    {
      models: [
        {
          name: 'thorsten',
          kind: 'voice',
          displayName: 'Thorsten',
          summary: 'a man',
          languages: ['de'],
          downloadBytes: 1,
          memoryBytes: 1,
          fit: 'good',
          licence: { name: 'CC0-1.0', url: 'https://example.org', commercialUse: 'yes' },
          isConfirmed: true,
          isInstalled: false,
          installation: { state: 'downloading', receivedBytes: 1, totalBytes: 2 },
        },
      ],
      needsAddon: false,
    },
  ],
  [
    'listChatModels',
    (client) => client.listChatModels(),
    { models: [{ model: 'small-2', pricing: { prompt: '0.1' }, spec: { contextLength: 1 } }] },
  ],
]

const problems: unknown[] = [
  { error: { code: 5, message: 'Nobody', details: [] } },
  { code: 8, message: 'Too much', details: ['x'] },
  { error: { type: 'rate_limit_error', code: null, message: 'Too much' } },
]

/** Mostly 200, because all other statuses are handled alike. */
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constant(200) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      201,
      299,
      302,
      400,
      401,
      402,
      404,
      408,
      409,
      418,
      429,
      500,
      503,
      599,
    ),
  },
)

const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'text/html', 'constructor', ''),
    'retry-after': fc.constantFrom('0', '-1', '1e9', 'soon', 'Wed, 21 Oct 2065 07:28:00 GMT', ''),
    'content-encoding': fc.constantFrom('gzip', 'gzip', 'br', 'constructor', 'GZIP', ''),
  },
  { requiredKeys: [] },
)

export interface GivenCall {
  name: string
  call: Call
  bytes: Bytes
  whole: ScriptedResponse
  cut: ScriptedResponse
}

/** A client method and a response with random damage, in one piece and in several. */
export const jsonResponse: fc.Arbitrary<GivenCall> = fc
  .constantFrom(...calls)
  .chain(([name, call, good]) => {
    const json = fc.constantFrom(good, good, ...problems).chain(mutated)
    const bytes = json.chain((value) =>
      damaged(Buffer.from(JSON.stringify(value)).toString('latin1')),
    )
    return fc.record({
      name: fc.constant(name),
      call: fc.constant(call),
      bytes,
      status,
      headers,
      cuts,
    })
  })
  .map(({ name, call, bytes, status, headers, cuts }) => {
    const sent = headers['content-encoding'] === 'gzip' ? zipped(bytes) : bytes
    const response = { status, headers }
    const whole = { ...response, pieces: pieces(sent) }
    return { name, call, bytes, whole, cut: { ...response, pieces: pieces(sent, cuts) } }
  })

/** A whole response to `listVoices`, including its headers, with the key in it. */
export const bareResponse: fc.Arbitrary<Bytes> = fc
  .constantFrom(
    `Content-Length: 66\r\n\r\n{"voices":[{"voiceId":"Clara","description":"${keys.service}"}]}`,
    `Transfer-Encoding: chunked\r\n\r\n8\r\n{"error"\r\n5\r\n:"no"\r\n1\r\n}\r\n0\r\n\r\n`,
  )
  .chain((response) => damaged(`HTTP/1.1 200 OK\r\nX-Key: ${keys.service}\r\n${response}`, 1))

function zipped(bytes: Bytes): Bytes {
  return gzipSync(Buffer.from(bytes, 'latin1')).toString('latin1')
}
