import type { NodeCase } from '@parlando/test-support/node-red/node-cases'

export const nodeCase: NodeCase = {
  settings: { language: 'en-US', timeZone: 'Europe/Berlin', half: false },
  good: { payload: 'in ten minutes' },
  bad: { payload: 'the bins' },
  shown: /^next: \d/,
  fuzz: {
    variants: {
      'remind-half': { half: true, language: 'ja' },
    },
    reads: ['payload', 'remind', 'language'],
    sets: ['payload', 'reminder', 'reminders'],
    good: { payload: 'in three hours' },
  },
}
