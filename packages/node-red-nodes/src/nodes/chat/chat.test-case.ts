import type { NodeCase } from '@parlando/test-support/node-red/node-cases'
import { chatEnd, chatEvent } from '@parlando/test-support/servers/chat-events'

export const nodeCase: NodeCase = {
  settings: {
    prompt: 'payload',
    promptType: 'msg',
    model: 'svc/models/echo',
    system: '',
    mcpServer: '',
    turns: '10',
    keep: false,
    temperature: '',
    maxTokens: '',
    output: 'deltas',
    busy: 'wait',
  },
  good: { payload: 'Hello' },
  bad: { payload: '' },
  shown: /^echo only: choose a language model$/,
  service: {
    response: [chatEvent({ content: 'Good ' }), chatEvent({ content: 'morning.' }) + chatEnd],
    begun: 1,
  },
  fuzz: {
    variants: {
      'chat-whole': { output: 'whole' },
      'chat-deltas': { output: 'deltas', busy: 'parallel', turns: '0' },
      'chat-sentences': {
        output: 'sentences',
        busy: 'replace',
        turns: '2',
        system: 'Be short.',
      },
    },
    reads: ['payload', 'chatModel', 'system', 'tools', 'chatOptions', 'reset'],
    sets: ['payload', 'chat', 'reasoning', 'parts', 'complete'],
    good: { payload: 'Is it raining?', topic: 'weather' },
  },
}
