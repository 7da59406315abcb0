import type { NodeCase } from '@parlando/test-support/node-red/node-cases'

export const nodeCase: NodeCase = {
  settings: { kind: 'page', mode: 'push', alsoPlays: '', device: '' },
  good: { payload: 'stop' },
  bad: { payload: 'louder' },
  fuzz: {
    variants: { microphone: { name: 'Kitchen' }, 'microphone-tap': { mode: 'tap', name: 'Hall' } },
    reads: ['payload', 'stop'],
    sets: [],
    good: { payload: 'stop' },
  },
}
