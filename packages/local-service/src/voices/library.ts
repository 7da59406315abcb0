import type { SpeakingVoice } from './catalogue.ts'

const shared = { langCode: 'EN_US', source: 'SYSTEM', categories: ['local'] }

/** The voices everybody has. The first is the one that a flow gets which chooses none. */
export const library: readonly SpeakingVoice[] = [
  {
    engine: 'flite',
    engineVoice: 'slt',
    voice: {
      ...shared,
      voiceId: 'Clara',
      displayName: 'Clara',
      description: 'American woman, clear and calm; a statistical voice of the 2000s',
      gender: 'female',
      tags: ['american', 'calm'],
    },
  },
  {
    engine: 'flite',
    engineVoice: 'rms',
    voice: {
      ...shared,
      voiceId: 'Ralph',
      displayName: 'Ralph',
      description:
        'American man, deep and unhurried; a statistical voice, the easiest to understand',
      gender: 'male',
      tags: ['american', 'deep'],
    },
  },
  {
    engine: 'flite',
    engineVoice: 'awb',
    voice: {
      ...shared,
      voiceId: 'Angus',
      displayName: 'Angus',
      description: 'Scottish man, lively; a statistical voice of the 2000s',
      gender: 'male',
      tags: ['scottish', 'lively'],
    },
  },
  {
    engine: 'flite',
    engineVoice: 'kal16',
    voice: {
      ...shared,
      voiceId: 'Kit',
      displayName: 'Kit',
      description: 'American man, a robot of the nineties; a diphone voice and by far the fastest',
      gender: 'male',
      tags: ['american', 'robot', 'fast'],
    },
  },
]
