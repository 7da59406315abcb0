import {
  integratedLoudness,
  meterRateHertz,
  truePeak,
} from '@parlando/test-support/audio/measure-loudness'
import { describe, expect, it } from 'vitest'
import { commonLufs } from '../../packages/local-service/src/audio/integrated-loudness.ts'
import { fromPcmBytes } from '../../packages/local-service/src/audio/pcm.ts'
import { library } from '../../packages/local-service/src/voices/library.ts'
import { foreignSentences, moreSentences, sentences } from './sentences.ts'
import { useService } from './service.ts'

const client = useService()
const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: meterRateHertz } as const
const english = [...sentences, ...moreSentences].join(' ')
const maxError = 0.5

/** The text for each voice. A voice speaks English if it is not in the list. */
const texts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(foreignSentences).map(([voiceId, list]) => [voiceId, list.join(' ')]),
)
const voiceIds = [
  ...library.map(({ voice }) => voice.voiceId),
  'Heart',
  'Harriet',
  ...Object.keys(texts),
]

describe('built-in voices', { timeout: 300_000 }, () => {
  it('are all in this list', async () => {
    const { voices } = await client().listVoices()
    expect(voices.map(({ voiceId }) => voiceId).sort()).toEqual([...voiceIds].sort())
  })

  it.each(voiceIds)(
    '%s has the common loudness over many sentences, and no peaks above -0.8 dBTP',
    async (voiceId) => {
      const { audio } = await client().synthesize({
        text: texts[voiceId] ?? english,
        voiceId,
        modelId: 'svc-tts-2',
        audioConfig,
      })
      const samples = fromPcmBytes(audio)
      const loudness = integratedLoudness(samples)
      console.log(`${voiceId}: ${loudness.toFixed(2)} LUFS`)
      expect(Math.abs(loudness - commonLufs)).toBeLessThan(maxError)
      expect(truePeak(samples)).toBeLessThan(-0.8)
    },
  )
})
