import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { expect, it } from 'vitest'
import { estimatedBytes, rejectWhenFull } from './job-admission.ts'

/** The estimate for a text, in seconds. */
function estimatedSeconds(text: string, settings: { speakingRate?: number } = {}): number {
  const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: 8_000, ...settings } as const
  return estimatedBytes([{ request: { ...speechRequest, text, audioConfig } }]) / 16_000
}

it('the estimate for a text includes its breaks', () => {
  const text = 'Good morning'
  expect(estimatedSeconds(text)).toBe(1)
  const breaks = '<break time="10s"/> <BREAK time="500ms"></BREAK>'
  expect(estimatedSeconds(breaks + text)).toBeCloseTo(11.5 + breaks.length / 12, 3)
  const most = 'a<break time="10s"/>'.repeat(100)
  expect(estimatedSeconds(most)).toBeGreaterThan(1_000)
})

it('the estimate for a text has no breaks that the service rejects', () => {
  const text = '<break time="90s"/>'
  expect(estimatedSeconds(text)).toBeCloseTo(text.length / 12, 3)
})

it('the estimate for a text that is spoken slowly is longer, and not shorter for a fast one', () => {
  expect(estimatedSeconds('Good morning', { speakingRate: 0.5 })).toBe(2)
  expect(estimatedSeconds('Good morning', { speakingRate: 1.5 })).toBe(1)
})

it('rejects long texts that take too much space, or of which too many have not ended, with what to do', () => {
  const none = { bytes: 0, unfinished: 0 }
  const reject = (all = none, ofOwner = none) =>
    rejectWhenFull({ all, ofOwner, maxBytes: 1_000 }, 100)
  expect(() =>
    reject({ bytes: 900, unfinished: 1_999 }, { bytes: 400, unfinished: 999 }),
  ).not.toThrow()
  expect(() => reject({ bytes: 901, unfinished: 0 })).toThrow(
    'The long texts of this service take too much space: delete those that are done',
  )
  expect(() => reject(none, { bytes: 401, unfinished: 0 })).toThrow('Your long texts take too much')
  expect(() => reject({ bytes: 0, unfinished: 2_000 })).toThrow(
    'The long texts of this service are too many: 2000 have not ended',
  )
  expect(() => reject(none, { bytes: 0, unfinished: 1_000 })).toThrow(
    'Your long texts are too many: 1000 have not ended',
  )
})
