import { findBaseVoice } from './base-voices.ts'
import { shapeProfile, type VoiceShape } from './imprint/shape-profile.ts'
import type { SpeakingVoice } from './voice.ts'

interface LibraryVoice {
  name: string
  description: string
  /** The accent of the voice, which may differ from the engine's own label. Default `EN_US`. */
  langCode?: string
  gender: 'female' | 'male'
  ageGroup: string
  tags: string[]
  engineVoice: string
  /** How it differs from the engine's voice. Default: it is the engine's voice unchanged. */
  shape?: VoiceShape
  /** How much louder the shape makes the engine's voice, as `npm run measure-voices` prints it. */
  addedDecibels?: number
}

const voices: readonly LibraryVoice[] = [
  {
    name: 'Clara',
    description: 'American woman, clear and calm; sounds like an early navigation system',
    gender: 'female',
    ageGroup: 'adult',
    tags: ['american', 'calm'],
    engineVoice: 'slt',
  },
  {
    name: 'Ralph',
    description: 'American man, deep and unhurried; the easiest to understand',
    gender: 'male',
    ageGroup: 'adult',
    tags: ['american', 'deep'],
    engineVoice: 'rms',
  },
  {
    name: 'Angus',
    description: 'Scottish man, lively; sounds like an early navigation system',
    langCode: 'EN_GB',
    gender: 'male',
    ageGroup: 'adult',
    tags: ['scottish', 'lively'],
    engineVoice: 'awb',
  },
  {
    name: 'Kit',
    description:
      'American man, like a robot of the nineties; a diphone voice and by far the fastest',
    gender: 'male',
    ageGroup: 'adult',
    tags: ['american', 'robot', 'fast'],
    engineVoice: 'kal16',
  },
  {
    name: 'Nora',
    description: 'American woman, a warm and slow alto; derived from Clara',
    gender: 'female',
    ageGroup: 'adult',
    tags: ['american', 'warm', 'low'],
    engineVoice: 'slt',
    shape: { pitchHertz: 145, formantFactor: 0.94, brightnessDecibels: -8, pace: 0.92 },
    addedDecibels: 0.64,
  },
  {
    name: 'Lily',
    description: 'Young American woman, bright and clear; derived from Ralph',
    gender: 'female',
    ageGroup: 'young',
    tags: ['american', 'bright', 'clear'],
    engineVoice: 'rms',
    shape: { pitchHertz: 208, formantFactor: 1.14, brightnessDecibels: 2, liveliness: 0.9 },
    addedDecibels: -0.96,
  },
  {
    name: 'Pip',
    description: 'Small and high like a child in a cartoon; derived from Ralph',
    gender: 'male',
    ageGroup: 'child',
    tags: ['american', 'childlike', 'high'],
    engineVoice: 'rms',
    shape: { pitchHertz: 255, formantFactor: 1.22, pace: 1.05 },
    addedDecibels: -0.55,
  },
  {
    name: 'Otto',
    description: 'Older American man, very deep, dark and slow; derived from Ralph',
    gender: 'male',
    ageGroup: 'senior',
    tags: ['american', 'deep', 'slow'],
    engineVoice: 'rms',
    shape: { pitchHertz: 80, formantFactor: 0.9, brightnessDecibels: -8, pace: 0.88 },
    addedDecibels: 0.42,
  },
  {
    name: 'Felix',
    description: 'Young American man, higher and quicker than Ralph; derived from Ralph',
    gender: 'male',
    ageGroup: 'young',
    tags: ['american', 'bright', 'quick'],
    engineVoice: 'rms',
    shape: { pitchHertz: 128, formantFactor: 1.07, brightnessDecibels: 4, pace: 1.1 },
    addedDecibels: -0.75,
  },
  {
    name: 'Fiona',
    description: 'Scottish woman, derived from Angus; audibly synthetic',
    langCode: 'EN_GB',
    gender: 'female',
    ageGroup: 'adult',
    tags: ['scottish', 'clear'],
    engineVoice: 'awb',
    shape: { pitchHertz: 192, formantFactor: 1.13 },
    addedDecibels: -0.56,
  },
]

/** The voices of Flite, and those that are derived from them. */
export const library: readonly SpeakingVoice[] = voices.map(toSpeakingVoice)

function toSpeakingVoice(voice: LibraryVoice): SpeakingVoice {
  const { name, description, langCode = 'EN_US', gender, ageGroup, tags } = voice
  const { engineVoice, shape, addedDecibels } = voice
  const base = findBaseVoice('flite', engineVoice)
  return {
    engine: 'flite',
    engineVoice,
    ...(shape && base ? { imprint: shapeProfile(base.profile, shape), addedDecibels } : {}),
    voice: {
      voiceId: name,
      displayName: name,
      description,
      langCode,
      source: 'SYSTEM',
      categories: ['local'],
      gender,
      ageGroup,
      tags,
    },
  }
}
