import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { fuzz } from '../cases.ts'

const apiKey = keys.service
const { load, admin } = useNodeRed()

let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ apiKey, warmUp: false })
})
afterAll(() => service.close())

const requests = ['voices', 'models', 'recognisers', 'listen', 'test']
const studio = ['clone', 'change', 'export', 'import', 'delete']
const posts = [
  'stop',
  ...requests,
  ...requests.map((path) => `deployed/${path}`),
  ...['local-models', 'local-models/install', 'local-models/cancel', 'local-models/remove'],
  'editor-speaker/report',
  ...['kept-sound', 'kept-sound/clear'],
  ...studio.map((path) => `studio/${path}`),
  ...studio.map((path) => `deployed/studio/${path}`),
  ...['studio/recent', 'studio/recent/sound', 'studio/recent/clear'],
]
const gets = ['player-address', 'editor-speaker/audio']

/** A text, or what `String`, `trim` or a spread fails on. */
const odd = fc.constantFrom<unknown>(
  ...[undefined, null, 0, true, '', ' ', 'x'.repeat(5000), [], ['a'], {}, { toString: 1 }],
  ...['__proto__', 'constructor', 'stored', '..', '%', '/', '\u0000', '\ud800', { length: 1e9 }],
)
// Each of the forms, and none of a service that does not exist: such a request waits for the network.
const service_ = (baseUrl: string) =>
  fc.oneof(
    fc.record({
      id: fc.oneof(fc.constant<unknown>('stored'), odd),
      location: fc.oneof(fc.constant<unknown>('hosted'), odd),
      baseUrl: fc.oneof(fc.constant<unknown>(baseUrl), odd),
      apiKey: fc.oneof(fc.constant<unknown>(apiKey), odd),
    }),
    odd,
  )
const fields = (baseUrl: string) =>
  fc.record(
    {
      service: service_(baseUrl),
      text: fc.oneof(fc.constant<unknown>('Hi.'), odd),
      voiceId: fc.oneof(fc.constant<unknown>('Clara'), odd),
      modelId: fc.oneof(fc.constant<unknown>('svc-tts-2'), odd),
      name: odd,
      acceptedLicence: odd,
      id: fc.oneof(fc.constant<unknown>('stored'), odd),
      recording: fc.oneof(fc.constant<unknown>('UklGRg=='), odd),
      transcription: odd,
      displayName: fc.oneof(fc.constant<unknown>('Me'), odd),
      description: odd,
      langCode: fc.oneof(fc.constant<unknown>('EN_US'), odd),
      tags: odd,
      file: fc.oneof(fc.constant<unknown>({ parlandoVoice: 1 }), odd),
    },
    { requiredKeys: [] },
  )

const query = fc
  .array(
    fc.tuple(
      fc.constantFrom('typed', 'typed[toString]', 'typed[]', 'id[valueOf]', 'player', 'event', '['),
      fc.constantFrom('', '1', 'http://', '%00', '%E0%A4%A', 'ready', 'x'.repeat(2000)),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

it('the routes of the forms respond to any request with a result or a sentence', async () => {
  const { baseUrl } = service
  const stored = { id: 'stored', type: 'parlando-service', location: 'hosted', baseUrl }
  await load([stored, { id: 'address', type: 'parlando-address' }], { stored: { apiKey } })
  const server = createServer(admin())
  // On a busy machine, a request would reach a connection that the server has just closed.
  server.keepAliveTimeout = 0
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const unhandled: unknown[] = []
  const keep = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', keep)
  onTestFinished(() => void process.off('unhandledRejection', keep))

  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/parlando/${path}`, {
      ...init,
      signal: AbortSignal.timeout(60_000),
    })
    return { status: response.status, text: await response.text() }
  }
  const json = { 'content-type': 'application/json' }
  const post = (path: string, body: string, headers: Record<string, string> = json) =>
    send(path, { method: 'POST', body, headers })
  const forms = { 'content-type': 'application/x-www-form-urlencoded' }
  const anyRequest = fc.oneof(
    fc.tuple(fc.constantFrom(...posts), fields(baseUrl)).map(
      ([path, body]) =>
        () =>
          post(path, JSON.stringify(body)),
    ),
    fc.tuple(fc.constantFrom(...posts), odd).map(
      ([path, body]) =>
        () =>
          post(path, JSON.stringify(body) ?? ''),
    ),
    fc.tuple(fc.constantFrom(...posts), query).map(
      ([path, body]) =>
        () =>
          post(path, body, forms),
    ),
    fc.tuple(fc.constantFrom(...gets, ...posts), query).map(
      ([path, asked]) =>
        () =>
          send(`${path}?${asked}`),
    ),
  )
  await fuzz(
    anyRequest,
    async (request) => {
      const { status, text } = await request()
      expect(text).not.toContain(apiKey)
      expect([200, 400, 404, 422], text).toContain(status)
      if (status !== 422) return
      const { code, message } = JSON.parse(text).error
      expect(code, message).not.toBe('FAILED')
      expect(message).not.toMatch(/not a function|Cannot |undefined|\[object/)
    },
    { lanes: 4 },
  )
  expect(unhandled).toEqual([])
  const good = await post(
    'listen',
    JSON.stringify({ service: stored, text: 'Hi.', voiceId: 'Clara', modelId: 'svc-tts-2' }),
  )
  expect(JSON.parse(good.text)).toMatchObject({ mediaType: 'audio/mpeg' })
})
