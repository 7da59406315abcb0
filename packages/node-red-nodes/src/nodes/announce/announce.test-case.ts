import type { NodeCase } from '@parlando/test-support/node-red/node-cases'
import { audioLine } from '@parlando/test-support/servers/test-server'

export const nodeCase: NodeCase = {
  settings: {
    speaker: '',
    text: 'payload',
    textType: 'msg',
    voice: 'Clara',
    priority: 'normal',
    // It would be heard before the service responds.
    chime: false,
    model: 'svc-tts-2',
    // A voice of this machine would hide the failures of the service.
    standIn: 'none',
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
      'announce-alarm': { priority: 'alarm', chime: true },
      'announce-clean': { clean: true, voice: '', volume: 10 },
    },
    reads: [
      'payload',
      'topic',
      'priority',
      'speakers',
      'volume',
      'expiresIn',
      'chime',
      'repeat',
      'acknowledge',
      'later',
      'played',
      'url',
      'warning',
      'voiceId',
      'modelId',
      'audioConfig',
      'speechOptions',
    ],
    sets: ['announcement', 'warning'],
    good: { payload: 'It rains. It snows.' },
  },
}
