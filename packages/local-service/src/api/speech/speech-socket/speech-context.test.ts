import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import { expect, it } from 'vitest'
import { createEncoderPool } from '../../../audio/encoding/encoder-pool.ts'
import { resolveSettings } from '../../../speaking/synthesis-request.ts'
import { createVoiceList } from '../../../voices/voice-list.ts'
import { SpeechContext } from './speech-context.ts'

const settings = {
  voiceId: 'Clara',
  modelId: 'svc-tts-2',
  audioConfig: { audioEncoding: 'PCM' as const },
}

/** Speaks with a context that ends after a number of results. @returns the kinds of the results. */
async function speak(maxResults: number): Promise<string[]> {
  const engines = new Map([['flite', createFakeEngine()]])
  const service = { voiceList: createVoiceList(), engines, encoders: createEncoderPool() }
  const ending = new AbortController()
  const kinds: string[] = []
  const context = new SpeechContext({
    settings,
    synthesis: resolveSettings(settings, service),
    facts: { modelId: '', characters: 0, audioSeconds: 0 },
    signal: ending.signal,
    async send(result) {
      kinds.push(...Object.keys(result))
      if (kinds.length === maxResults) ending.abort()
    },
    async onFailure(error) {
      throw error
    },
  })
  context.write('Hi.')
  await context.close()
  return kinds
}

it('a context sends nothing after its end, at whichever result that is', async () => {
  const all = await speak(Number.POSITIVE_INFINITY)
  expect(all.at(-1)).toBe('flushCompleted')
  for (const [index] of all.entries()) {
    expect(await speak(index + 1)).toEqual(all.slice(0, index + 1))
  }
})
