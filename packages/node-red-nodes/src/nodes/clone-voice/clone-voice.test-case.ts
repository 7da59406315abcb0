import { writeWavHeader } from '@parlando/core/audio'
import type { NodeCase } from '@parlando/test-support/node-red/node-cases'

const recording = (sampleRateHertz: number, dataBytes: number) =>
  Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes }), Buffer.alloc(dataBytes, 7)])

export const nodeCase: NodeCase = {
  settings: {
    from: 'message',
    samples: 'payload',
    samplesType: 'msg',
    files: '',
    voiceName: 'Me',
    voiceNameType: 'str',
    langCode: 'EN_US',
    removeBackgroundNoise: false,
    keepRecording: false,
  },
  good: { payload: recording(8000, 16_000) },
  bad: { payload: 7 },
  service: { response: ['{"voice":', '{"voiceId":"w__me","displayName":"Me"}}'], begun: 0 },
  fuzz: {
    variants: { clone: { voiceName: 'topic', voiceNameType: 'msg' } },
    reads: [
      'payload',
      'displayName',
      'langCode',
      'removeBackgroundNoise',
      'keepRecording',
      'description',
      'tags',
    ],
    sets: ['payload', 'voiceId', 'warnings'],
    good: { payload: recording(8000, 8000), topic: 'Me' },
  },
}
