import type { IncomingMessage, ServerResponse } from 'node:http'
import { chatEnd, chatEvent } from '@parlando/test-support/chat-events'
import { audioLine } from '@parlando/test-support/test-server'
import fc from 'fast-check'

/** The response of a service to one request. */
export interface Answer {
  how: 'well' | 'with an error' | 'with nonsense' | 'half' | 'not' | 'hanging up'
  /** The HTTP status of an error. */
  status: number
  /** The text of an error or of garbage. */
  body: string
  /** The delay in turns of the event loop. */
  turns: number
}

// Longer than the service node's limit. A clone has a longer limit, too long for a test.
const longestSilenceMs = 60

/** The audio for every text. */
export const audio = Buffer.from(Array.from({ length: 960 }, (_, index) => index % 251))
/** The answer to every question. */
const reply = 'It is. It was not.'

/** Responses of a service that works, fails or is not reachable. @param secret only the service may repeat it. */
export function anyResponse(secret: string): fc.Arbitrary<Answer> {
  const message = fc.oneof(fc.string(), fc.constant(`Basic ${secret} is wrong`), fc.constant(''))
  const problem = fc
    .record({ code: fc.oneof(fc.integer({ min: -1, max: 20 }), fc.jsonValue()), message })
    .map((status) => JSON.stringify(status))
  return fc.record({
    how: fc.oneof(
      { weight: 12, arbitrary: fc.constant('well' as const) },
      { weight: 3, arbitrary: fc.constant('with an error' as const) },
      { weight: 3, arbitrary: fc.constant('with nonsense' as const) },
      { weight: 2, arbitrary: fc.constantFrom('half' as const, 'hanging up' as const) },
      { weight: 1, arbitrary: fc.constant('not' as const) },
    ),
    status: fc.constantFrom(400, 401, 403, 404, 409, 418, 429, 500, 501, 503, 302, 204),
    body: fc.oneof(
      problem,
      problem.map((status) => `{"error":${status}}\n`),
      fc.json(),
      fc.json().map((json) => `{"result":${json}}\n`),
      fc.json().map((json) => `data: ${json}\n\n`),
      fc.json().map((json) => `data: {"choices":[{"delta":${json}}]}\n\n`),
      fc.json().map((json) => `{"voices":[{"voiceId":"Clara","tags":${json}}]}`),
      fc.json().map((json) => `{"voice":{"voiceId":"c","displayName":${json}}}`),
      fc.json().map((json) => `{"voice":{"voiceId":"c"},"audioSamplesValidated":${json}}`),
      fc.string({ unit: 'binary' }),
    ),
    turns: fc.nat({ max: 5 }),
  })
}

/** Responds to a request of any endpoint. */
export async function answerRequest(
  { how, status, body, turns }: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  if (how === 'not') return void setTimeout(() => response.destroy(), longestSilenceMs)
  if (how === 'hanging up') return void response.destroy()
  if (how === 'with an error') return void response.writeHead(status).end(body)
  if (how === 'with nonsense') return void response.end(body)
  const well = validResponse(request)
  if (how === 'well') return void response.end(well)
  response.write(well.slice(0, well.length / 2))
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
  if (url.includes(':clone')) return '{"voice":{"voiceId":"w__me","displayName":"Me"}}'
  const clara = { voiceId: 'Clara', displayName: 'Clara', tags: ['calm'] }
  const isList = method === 'GET' && /\/voices(\?.*)?$/.test(url)
  return JSON.stringify(isList ? { voices: [clara, { voiceId: 'Angus' }] } : clara)
}
