import type { NodeCase } from '@parlando/test-support/node-red/node-cases'

export const nodeCase: NodeCase = {
  settings: {
    instructions: '',
    voice: '',
    model: 'svc/models/echo',
    tools: '',
    reminders: false,
    mcpServer: '',
    language: '',
    endOfTurn: 'normal',
    silenceMs: '',
    mayInterrupt: true,
    filler: 'tone',
    keep: false,
    keepListening: 'always',
  },
  good: { payload: 'Hello' },
  bad: { payload: true },
  fuzz: {
    variants: {
      converse: { keepListening: 'short', filler: 'word' },
      'converse-tools': { tools: 'time: reports the time', endOfTurn: 'recording' },
    },
    reads: ['payload', 'tool', 'instructions', 'voiceId', 'chatModel', 'language', 'tools'],
    sets: ['payload', 'role', 'tool', 'interrupted', 'audio', 'parts', 'complete', 'stop'],
    good: { payload: 'Hello' },
  },
}
