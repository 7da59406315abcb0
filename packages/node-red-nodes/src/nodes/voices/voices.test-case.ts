import type { NodeCase } from '@parlando/test-support/node-red/node-cases'

export const nodeCase: NodeCase = {
  settings: { operation: 'list', voice: '', languages: '', search: '', output: 'whole' },
  good: { payload: 'go' },
  bad: { operation: 'sing' },
  shown: /^\d+ voices$/,
  service: { response: ['{"voices":', '[{"voiceId":"Clara"}]}'], begun: 0 },
  fuzz: {
    variants: {
      'voices-list': {},
      'voices-each': { output: 'each' },
      'voices-get': { operation: 'get' },
      'voices-update': { operation: 'update' },
      'voices-delete': { operation: 'delete', voice: 'Angus' },
    },
    reads: ['operation', 'voiceId', 'languages', 'search', 'displayName', 'description', 'tags'],
    sets: ['payload', 'voiceId', 'parts'],
    good: { voiceId: 'Clara', displayName: 'Clara' },
  },
}
