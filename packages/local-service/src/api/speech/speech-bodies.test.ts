import { audioEncodings, sampleRatesHertz } from '@parlando/core/wire'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const testApp = useTestApp()

/** Usually one of the valid values, sometimes any JSON value. */
function oftenValid(...valid: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...valid) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  )
}

const markup = fc.constantFrom(
  '<break time="20ms"/>',
  '<break>',
  '[laugh]',
  '[1]',
  '/kæt/',
  '11/21',
)
const words = fc.constantFrom(
  'Yes,',
  'no.',
  'Dr.',
  '$4.50',
  '“Hm”',
  '…',
  '👋',
  '—',
  '\n\n',
  'x\u0301',
)
const text = fc
  .array(fc.oneof({ weight: 12, arbitrary: words }, { weight: 1, arbitrary: markup }), {
    maxLength: 5,
  })
  .map((pieces) => pieces.join(' '))

const audioConfig = fc.record(
  {
    audioEncoding: oftenValid(...audioEncodings),
    sampleRateHertz: oftenValid(...sampleRatesHertz),
    bitRate: oftenValid(32_000, 64_000, 256_000),
    speakingRate: oftenValid(0.5, 1, 1.5),
  },
  { requiredKeys: [] },
)

const body = fc.record(
  {
    text: fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: fc.string() }),
    voiceId: oftenValid('Clara', 'Kit', 'Kit'),
    modelId: oftenValid('svc-tts-2', 'svc-tts-2-flash', 'svc-tts-1.5-max'),
    audioConfig,
    language: oftenValid('en-US', 'EN_GB', 'AUTO', ''),
    deliveryMode: oftenValid('STABLE', 'CREATIVE', 'DELIVERY_MODE_UNSPECIFIED'),
    temperature: oftenValid(0, 0.5, 2),
    timestampType: oftenValid('WORD', 'WORD', 'TIMESTAMP_TYPE_UNSPECIFIED'),
    timestampTransportStrategy: oftenValid('SYNC', 'ASYNC'),
    applyTextNormalization: oftenValid('ON'),
    enhanceGeneration: oftenValid(false),
    synthesisContext: oftenValid({ previousRequests: [] }),
  },
  { requiredKeys: ['text', 'voiceId', 'modelId'] },
)

describe('any body', () => {
  it('results in well-formed speech or a client error, with and without streaming', async () => {
    const statuses = new Set<number>()
    const check = async (request: unknown) => {
      const whole = await testApp.post('/tts/v1/voice', request)
      const streamed = await testApp.post('/tts/v1/voice:stream', request)
      statuses.add(whole.status)
      expect(streamed.status).toBe(whole.status)
      if (whole.status !== 200) {
        expect([400, 404, 501]).toContain(whole.status)
        const problem = await whole.json()
        const message = expect.stringMatching(/\w+.{10}/)
        expect(problem).toEqual({ code: expect.any(Number), message, details: [] })
        expect(await streamed.json()).toEqual(problem)
        return
      }
      const usage = { processedCharactersCount: (request as { text: string }).text.length }
      expect(await whole.json()).toMatchObject({ audioContent: expect.stringMatching(/./), usage })
      const lines = (await streamed.text()).trimEnd().split('\n')
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ result: { usage } })
    }
    await fc.assert(fc.asyncProperty(body, check), { numRuns: 80, seed: 7 })
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 501]))
  })
})
