import type { EngineVoice } from '../engine.ts'
import type { Accent } from './pronunciation/lexicon.ts'

/** A voice of the family. */
export interface HibariVoice extends EngineVoice {
  accent: Accent
}

const american = { langCode: 'EN_US', accent: 'american' } as const
const british = { langCode: 'EN_GB', accent: 'british' } as const

/** All voices of the family by name. The first one is built in, the others can be installed. */
export const hibariVoices: readonly HibariVoice[] = [
  describe('heart', american, 'female', 'American woman, warm and natural', ['warm']),
  describe('kore', american, 'female', 'American woman, natural', []),
  describe('fenrir', american, 'male', 'American man, natural', []),
  describe('emma', british, 'female', 'British woman, natural', []),
  describe('fable', british, 'male', 'British man, natural', []),
]

function describe(
  name: string,
  { langCode, accent }: Pick<HibariVoice, 'langCode' | 'accent'>,
  gender: 'female' | 'male',
  description: string,
  tags: readonly string[],
): HibariVoice {
  const displayName = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const voice = {
    voiceId: displayName,
    displayName,
    description,
    langCode,
    source: 'SYSTEM',
    categories: ['local'],
    gender,
    ageGroup: 'adult',
    tags: [accent, 'natural', ...tags],
  }
  return { name, langCode, accent, voice }
}
