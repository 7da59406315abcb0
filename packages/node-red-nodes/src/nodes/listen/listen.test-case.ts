import { writeWavHeader } from '@parlando/core/audio'
import type { NodeCase } from '@parlando/test-support/node-red/node-cases'

const samples = Buffer.alloc(3200)
const recording = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 16_000, dataBytes: samples.length }),
  samples,
])

export const nodeCase: NodeCase = {
  settings: {
    output: 'text',
    sentences: '',
    language: '',
    model: '',
    expectedWords: '',
    endOfTurn: 'normal',
    silenceMs: '',
    interim: false,
    speech: false,
    busy: 'wait',
    outputs: 1,
  },
  good: { payload: recording },
  bad: { payload: 7 },
  service: { response: ['{"transcription":', '{"transcript":"good morning"}}'], begun: 0 },
  fuzz: {
    variants: {
      'listen-text': { interim: true, speech: true },
      'listen-parallel': { output: 'subtitles', busy: 'parallel' },
      'listen-sentences': {
        output: 'sentences',
        sentences: 'good {time}\n{time} = morning, night',
        busy: 'replace',
        endOfTurn: 'recording',
      },
    },
    reads: ['payload', 'audio', 'language', 'sentences', 'prompts', 'transcriptionModel'],
    sets: ['payload', 'audio', 'command', 'nearest', 'transcript', 'speech', 'parts', 'complete'],
    good: { payload: recording },
  },
}
