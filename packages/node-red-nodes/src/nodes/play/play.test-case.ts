import { writeWavHeader } from '@parlando/core/audio'
import type { NodeCase } from '@parlando/test-support/node-red/node-cases'

const samples = Buffer.alloc(480)
const sound = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 24_000, dataBytes: samples.length }),
  samples,
])

export const nodeCase: NodeCase = {
  settings: { speaker: '', volume: '', outputs: 1 },
  good: { payload: sound },
  bad: { payload: 'not a sound' },
  fuzz: {
    variants: { play: {}, 'play-softly': { volume: '10' } },
    reads: ['payload', 'audio', 'parts', 'complete', 'speakers', 'volume'],
    sets: ['playback', 'parts', 'complete'],
    good: { payload: sound },
  },
}
