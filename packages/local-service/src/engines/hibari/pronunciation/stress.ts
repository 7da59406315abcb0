export const primaryStress = 'ˈ'
export const secondaryStress = 'ˌ'
const anyStress = /[ˈˌ]/
const vowel = /[AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ]/
const long = /[AIOQWYʤʧ]/g

/**
 * Changes the stress of a word.
 * @param level −2 removes it, −1 makes all of it secondary, −0.5 only if it has a primary one, 0 and 0.5 give a word without
 * stress a secondary one, 1 makes secondary stress primary, and 2 gives any word a primary one. `undefined` changes nothing.
 */
export function applyStress(sounds: string, level: number | undefined): string {
  if (level === undefined) return sounds
  const hasPrimary = sounds.includes(primaryStress)
  if (level < -1) return sounds.replace(/[ˈˌ]/g, '')
  if (level === -1 || ((level === 0 || level === -0.5) && hasPrimary)) {
    return sounds.replaceAll(secondaryStress, '').replaceAll(primaryStress, secondaryStress)
  }
  if (anyStress.test(sounds)) {
    return level >= 1 && !hasPrimary ? sounds.replaceAll(secondaryStress, primaryStress) : sounds
  }
  if (level < 0 || !vowel.test(sounds)) return sounds
  return stressFirstVowel(sounds, level > 1 ? primaryStress : secondaryStress)
}

function stressFirstVowel(sounds: string, stress: string): string {
  const at = sounds.search(vowel)
  return sounds.slice(0, at) + stress + sounds.slice(at)
}

/** How much a part of a word weighs when only some of its parts can be stressed. */
export function stressWeight(sounds: string): number {
  return sounds.length + (sounds.match(long)?.length ?? 0)
}
