import { writeWavHeader } from '@parlando/core/audio'
import type { NodeCase } from '@parlando/test-support/node-red/node-cases'

const sound = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 8000, dataBytes: 8 }),
  Buffer.alloc(8),
])

export const nodeCase: NodeCase = {
  settings: { player: 'plain', address: '', response: 'adaptive', maxSounds: '', maxMebibytes: '' },
  good: { payload: sound },
  bad: { payload: 'not a sound' },
  fuzz: {
    variants: {
      address: {},
      'address-cast': { player: 'castv2', response: 'file', maxSounds: '2', maxMebibytes: '1' },
    },
    reads: ['payload', 'audio', 'parts', 'complete'],
    sets: ['payload', 'url', 'audio', 'parts', 'complete', 'topic', 'ui_update'],
    good: { payload: sound },
  },
}
