import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { expect, it } from 'vitest'
import { estimatedBytes } from './job-admission.ts'

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
