import type { NodeCase } from '@parlando/test-support/node-red/node-cases'
import { audioLine } from '@parlando/test-support/servers/test-server'

export const nodeCase: NodeCase = {
  settings: {
    speaker: '',
    text: 'payload',
    textType: 'msg',
    voice: 'Clara',
    clean: true,
    priority: 'info',
    model: 'svc-tts-2',
    outputs: 2,
  },
  good: { payload: 'Hello' },
  bad: { payload: '' },
  service: {
    response: [audioLine(Buffer.alloc(480)), audioLine(Buffer.alloc(480))],
    begun: 0,
  },
  fuzz: {
    variants: {
      // A more important text would interrupt what other nodes say on the same speaker.
      'read-aloud-quiet': { priority: 'info', volume: 10 },
      'read-aloud-unclean': { clean: false, voice: '' },
    },
    reads: [
      'payload',
      'topic',
      'priority',
      'speakers',
      'volume',
      'pause',
      'resume',
      'skip',
      'played',
      'url',
      'keep',
      'voiceId',
      'modelId',
      'audioConfig',
      'speechOptions',
    ],
    sets: ['reading'],
    good: { payload: 'It rains. It snows.' },
  },
}
