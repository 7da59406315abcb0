import { describe, expect, it } from 'vitest'
import { readProsody } from './prosody.ts'

const request = { text: 'Hello', voiceId: 'Clara' }

describe('readProsody', () => {
  it.each([
    ['svc-tts-2', {}, 1],
    ['svc-tts-2', { deliveryMode: 'STABLE' }, 0.6],
    ['svc-tts-2', { deliveryMode: 'CREATIVE' }, 1.4],
    ['svc-tts-2', { deliveryMode: 'DELIVERY_MODE_UNSPECIFIED' }, 1],
    ['svc-tts-2', { temperature: 2 }, 1],
    ['svc-tts-2-flash', { deliveryMode: 'STABLE' }, 1],
    ['svc-tts-2-flash', { temperature: 0 }, 1],
    ['svc-tts-1.5-max', { temperature: 0.4 }, 0.7],
    ['svc-tts-1.5-max', { temperature: 2 }, 1.5],
    ['svc-tts-1.5-mini', { temperature: 2 }, 1.5],
  ] as const)('gives %s with %j the liveliness %d', (modelId, fields, liveliness) => {
    expect(readProsody({ ...request, modelId, ...fields }).liveliness).toBeCloseTo(liveliness)
  })

  it('reads the speaking rate for every model', () => {
    const audioConfig = { speakingRate: 0.8 }
    expect(readProsody({ ...request, modelId: 'svc-tts-2', audioConfig }).speakingRate).toBe(0.8)
    expect(readProsody({ ...request, modelId: 'svc-tts-2' }).speakingRate).toBe(1)
  })
})
