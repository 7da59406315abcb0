import { join } from 'node:path'
import { listHibariModels } from '../../models/hibari/hibari-models.ts'
import { openLoudness } from '../model-loudness.ts'
import { type HibariVoice, hibariVoices } from './hibari-voices.ts'

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
