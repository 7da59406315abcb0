import { join } from 'node:path'
import { listHibariModels } from '../../models/hibari/hibari-models.ts'
import type { EngineVoice } from '../engine.ts'
import { openLoudness } from '../model-loudness.ts'
import type { Accent } from './pronunciation/word-endings.ts'

/** A voice that can speak now. */
export interface ReadyVoice extends HibariVoice {
  weights: string
  /** The factor that brings it to the loudness of all voices, if that is not done later. */
  gain: number
}

/** @param folder of the package of voices. */
export function builtInVoice(folder: string, notDefaultReason?: string): ReadyVoice {
  const heart = hibariVoices[0]!
  const voice = { ...heart.voice!, notDefaultReason }
  return { ...heart, voice, weights: weightsOfHeart(folder), gain: 1 }
}

export const weightsOfHeart = (folder: string) => join(folder, 'heart/weights.safetensors')

/** @param modelsFolder absent: no voice is installed. */
export async function findInstalled(modelsFolder: string | undefined): Promise<ReadyVoice[]> {
  const models = modelsFolder ? await listHibariModels(modelsFolder) : []
  const [, ...installable] = hibariVoices
  const found = models.map(async ({ name, folder, weights }) => {
    const voice = installable.find((known) => known.name === name)
    const loudness = await openLoudness(folder)
    return voice ? { ...voice, weights, gain: loudness.gainOf(speakerOfVoice) ?? 1 } : []
  })
  return (await Promise.all(found)).flat()
}

/** A voice has one speaker. */
export const speakerOfVoice = '0'

/** A voice of the family. */
interface HibariVoice extends EngineVoice {
  accent: Accent
}

const american = { langCode: 'EN_US', accent: 'american' } as const
const british = { langCode: 'EN_GB', accent: 'british' } as const

/** All voices of the family by name. The first one is built in, the others can be installed. */
const hibariVoices: readonly HibariVoice[] = [
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
