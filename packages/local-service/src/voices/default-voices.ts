import type { Voice } from '@parlando/core/wire'

/**
 * The voices that speak where none is chosen, in order of preference for each language: the first that this service has, and
 * that speaks well on this machine. A language without a row gets the first voice that speaks it.
 */
export const preferredVoices: Readonly<Record<string, readonly string[]>> = {
  EN_US: ['Heart', 'Clara'],
  EN_GB: ['Harriet', 'Angus'],
  DE_DE: ['Greta'],
  ES_ES: ['Lucia'],
  FR_FR: ['Margot'],
  IT_IT: ['Bianca'],
}

/** @returns the default voice of each language. The first is the default voice of the service. */
export function findDefaultVoices(voices: readonly Voice[]): Voice[] {
  const able = new Map(
    voices.flatMap((voice) =>
      voice.unavailableReason || voice.notDefaultReason ? [] : [[voice.voiceId, voice]],
    ),
  )
  return Object.values(preferredVoices).flatMap((preferred) => {
    const voiceId = preferred.find((voiceId) => able.has(voiceId))
    return able.get(voiceId ?? '') ?? []
  })
}
