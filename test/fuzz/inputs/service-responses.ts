import type { IncomingMessage, ServerResponse } from 'node:http'
import { chatEnd, chatEvent } from '@parlando/test-support/servers/chat-events'
import { audioLine } from '@parlando/test-support/servers/test-server'
import fc from 'fast-check'

/** The response of a service to one request. */
export interface ServiceResponse {
  kind: 'valid' | 'error' | 'malformed' | 'incomplete' | 'silent' | 'disconnect'
  /** The HTTP status of an error. */
  status: number
  /** The body of an error or of a malformed response. */
  body: string
  /** The delay in turns of the event loop. */
  turns: number
}

/** A service that says nothing for longer gives up. */
const silenceMs = 60

/** The audio for every text. */
export const audio = Buffer.from(Array.from({ length: 960 }, (_, index) => index % 251))
/** The text of every chat response. */
const reply = 'It is. It was not.'

/** Responses of a service that works, fails or is not reachable. @param secret A key. Only the service may repeat it. */
export function anyResponse(secret: string): fc.Arbitrary<ServiceResponse> {
  const message = fc.oneof(fc.string(), fc.constant(`Basic ${secret} is wrong`), fc.constant(''))
  const problem = fc
    .record({ code: fc.oneof(fc.integer({ min: -1, max: 20 }), fc.jsonValue()), message })
    .map((status) => JSON.stringify(status))
  return fc.record({
    kind: fc.oneof(
      { weight: 12, arbitrary: fc.constant('valid' as const) },
      { weight: 3, arbitrary: fc.constant('error' as const) },
      { weight: 3, arbitrary: fc.constant('malformed' as const) },
      { weight: 2, arbitrary: fc.constantFrom('incomplete' as const, 'disconnect' as const) },
      { weight: 1, arbitrary: fc.constant('silent' as const) },
    ),
    status: fc.constantFrom(400, 401, 403, 404, 409, 418, 429, 500, 501, 503, 302, 204),
    body: fc.oneof(
      problem,
      problem.map((status) => `{"error":${status}}\n`),
      fc.json(),
      fc.json().map((json) => `{"result":${json}}\n`),
      fc.json().map((json) => `data: ${json}\n\n`),
      fc.json().map((json) => `data: {"choices":[{"delta":${json}}]}\n\n`),
      fc.json().map((json) => `{"transcription":{"transcript":"It is.","wordTimestamps":${json}}}`),
      fc.json().map((json) => `{"transcription":${json}}`),
      fc.json().map((json) => `{"voices":[{"voiceId":"Clara","tags":${json}}]}`),
      fc.json().map((json) => `{"voice":{"voiceId":"c","displayName":${json}}}`),
      fc.json().map((json) => `{"voice":{"voiceId":"c"},"audioSamplesValidated":${json}}`),
      fc.string({ unit: 'binary' }),
    ),
    turns: fc.nat({ max: 5 }),
  })
}

/** Responds to a request of any endpoint. */
export async function respondTo(
  { kind, status, body, turns }: ServiceResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  if (kind === 'silent') return void setTimeout(() => response.destroy(), silenceMs)
  if (kind === 'disconnect') return void response.destroy()
  if (kind === 'error') return void response.writeHead(status).end(body)
  if (kind === 'malformed') return void response.end(body)
  const valid = validResponse(request)
  if (kind === 'valid') return void response.end(valid)
  response.write(valid.slice(0, valid.length / 2))
  setImmediate(() => response.destroy())
}

function validResponse({ method, url = '' }: IncomingMessage): string {
  if (url.startsWith('/tts/')) {
    return audioLine(audio.subarray(0, 480)) + audioLine(audio.subarray(480))
  }
  if (url.startsWith('/v1/chat/')) {
    return (
      reply
        .split(' ')
        .map((word) => chatEvent({ content: `${word} ` }))
        .join('') + chatEnd
    )
  }
  if (url.startsWith('/stt/')) {
    const wordTimestamps = reply
      .split(' ')
      .map((word, index) => ({ word, startTimeMs: 300 * index, endTimeMs: 300 * (index + 1) }))
    return JSON.stringify({ transcription: { transcript: reply, wordTimestamps } })
  }
  if (url.includes(':clone')) return '{"voice":{"voiceId":"w__me","displayName":"Me"}}'
  const clara = { voiceId: 'Clara', displayName: 'Clara', tags: ['calm'] }
  const isList = method === 'GET' && /\/voices(\?.*)?$/.test(url)
  return JSON.stringify(isList ? { voices: [clara, { voiceId: 'Angus' }] } : clara)
}
