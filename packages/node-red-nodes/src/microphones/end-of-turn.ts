import { isLoud, levelMs, minLevelDb } from './level.ts'

/** Why a recording ends by itself: the person has stopped speaking, or nobody has spoken. */
export type TurnEnd = 'silence' | 'nothing said'

/** A pause within a sentence is shorter. */
const silenceMs = 800
/** How long a person may think before the first word. */
const patienceMs = 8000
/** A click or a cough is shorter than this much sound within `windowMs`. */
const minSpeechMs = 120
const windowMs = 200
/** The noise may become louder while somebody speaks: a fan starts. Its estimate rises slowly, so that speech does not count as noise. */
const riseDbPerSecond = 3

/**
 * Finds the end of what somebody says by its level, which is enough to end a recording. It does not know speech from other
 * sounds: the service finds the exact turns.
 * @returns a function that takes the level of each 20 ms in dB.
 */
export function createEndOfTurn(): (levelDb: number) => TurnEnd | undefined {
  let noiseDb = Number.POSITIVE_INFINITY
  let elapsedMs = 0
  let hasSpoken = false
  let silentForMs = 0
  const recent: boolean[] = []

  return (levelDb) => {
    elapsedMs += levelMs
    noiseDb = Math.min(noiseDb + (riseDbPerSecond * levelMs) / 1000, Math.max(levelDb, minLevelDb))
    recent.push(isLoud(levelDb, noiseDb))
    if (recent.length > windowMs / levelMs) recent.shift()
    const isSpeech = recent.filter(Boolean).length * levelMs >= minSpeechMs
    if (isSpeech) hasSpoken = true
    silentForMs = isSpeech ? 0 : silentForMs + levelMs
    if (hasSpoken && silentForMs >= silenceMs) return 'silence'
    return !hasSpoken && elapsedMs >= patienceMs ? 'nothing said' : undefined
  }
}
