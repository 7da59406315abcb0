import {
  integratedLoudness,
  meterRateHertz,
  truePeak,
} from '@parlando/test-support/audio/measure-loudness'
import { expect, it } from 'vitest'
import { fromPcmBytes } from '../../packages/local-service/src/audio/pcm.ts'
import { commonLufs } from '../../packages/local-service/src/voices/voice-sound.ts'
import { moreSentences, sentences } from './sentences.ts'
import { listEnglishVoices, useService } from './service.ts'

const client = useService()
const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: meterRateHertz } as const

it('all voices are equally loud over many sentences, without peaks above -1 dBTP', async () => {
  const text = [...sentences, ...moreSentences].join(' ')
  const voices = await listEnglishVoices(client())
  const rows: { voice: string; loudness: number; peak: number }[] = []
  for (const { voiceId } of voices) {
    const { audio } = await client().synthesize({
      text,
      voiceId,
      modelId: 'svc-tts-2',
      audioConfig,
    })
    const samples = fromPcmBytes(audio)
    const [loudness, peak] = [integratedLoudness(samples), truePeak(samples)]
    rows.push({ voice: voiceId, loudness, peak })
  }
  console.table(rows.map(({ voice, loudness }) => ({ voice, LUFS: loudness.toFixed(2) })))
  const all = rows.map(({ loudness }) => loudness)
  expect(Math.max(...all) - Math.min(...all)).toBeLessThan(0.5)
  for (const { voice, loudness } of rows) {
    expect(Math.abs(loudness - commonLufs), voice).toBeLessThan(0.5)
  }
}, 600_000)
