import type { NodeCase } from '@parlando/test-support/node-red/node-cases'
import { audioLine } from '@parlando/test-support/servers/test-server'

export const nodeCase: NodeCase = {
  settings: {
    text: 'payload',
    textType: 'msg',
    voice: 'Clara',
    model: 'svc-tts-2',
    encoding: 'WAV',
    sampleRate: '24000',
    output: 'chunks',
    busy: 'wait',
  },
  good: { payload: 'Hello' },
  bad: { payload: '' },
  shown: /^\d+\.\d s, first audio after \d+ ms$/,
  service: { response: [audioLine(Buffer.alloc(480)), audioLine(Buffer.alloc(480))], begun: 1 },
  fuzz: {
    variants: {
      'speak-chunks': { encoding: 'PCM', output: 'chunks', busy: 'wait' },
      'speak-parallel': { encoding: 'PCM', output: 'whole', busy: 'parallel', timestamps: true },
      'speak-newest': { encoding: 'PCM', busy: 'replace', clean: true, voice: '' },
      'speak-expression': { text: 'payload.text', textType: 'jsonata', encoding: 'WAV' },
    },
    reads: ['payload', 'voiceId', 'modelId', 'audioConfig', 'speechOptions', 'headers', 'res'],
    sets: ['payload', 'audio', 'timestamps', 'parts', 'complete', 'headers'],
    good: { payload: 'It rains. It snows.' },
  },
}
