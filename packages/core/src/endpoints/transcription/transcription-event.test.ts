import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ProtocolError } from '../../errors.ts'
import { readEvents } from './transcription-event.ts'

const kinds = ['speechStarted', 'speechStopped', 'interim', 'final', 'usage', 'unknown']

/** Values where the protocol has other types, among values that are right. */
const oddValue = fc.oneof(fc.jsonValue(), fc.string(), fc.double(), fc.boolean())
const transcription = fc.record(
  {
    transcript: fc.oneof(fc.string(), oddValue),
    isFinal: fc.oneof(fc.boolean(), oddValue),
    wordTimestamps: oddValue,
    sentenceMatch: oddValue,
    confidence: oddValue,
  },
  { requiredKeys: [] },
)
const message = fc.record(
  {
    result: fc.oneof(
      oddValue,
      fc.record(
        {
          transcription: fc.oneof(transcription, oddValue),
          speechStarted: oddValue,
          speechStopped: oddValue,
          usage: oddValue,
          other: oddValue,
        },
        { requiredKeys: [] },
      ),
    ),
    error: oddValue,
  },
  { requiredKeys: [] },
)

/** A socket whose errors say what was wrong. */
const socket = {
  bad: (problem: string) => new ProtocolError(problem, { code: 'BAD_RESPONSE' }),
  errorOf(problem: unknown) {
    throw Object.assign(new Error('an error of the service'), { problem })
  },
}

it('an error body is an error', () => {
  const error = { code: 8, message: 'Too many' }
  expect(() => readEvents(JSON.stringify(error), socket)).toThrow(
    expect.objectContaining({ problem: { error } }),
  )
})

it('any message has events, or is an error', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    message.map((value) => JSON.stringify(value)),
  )
  fc.assert(
    fc.property(text, (sent) => {
      let events: ReturnType<typeof readEvents>
      try {
        events = readEvents(sent, socket)
      } catch (error) {
        expect((error as Error).message).toMatch(/^a message of the service |^an error of the/)
        return
      }
      expect(events.length).toBeGreaterThan(0)
      for (const event of events) {
        expect(kinds).toContain(event.type)
        if ('text' in event) expect(typeof event.text).toBe('string')
        if (event.type === 'speechStarted') expect(typeof event.startMs).toBe('number')
      }
    }),
    { numRuns: propertyRuns(100_000) },
  )
})
