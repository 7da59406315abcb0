/** Why a recording ends by itself: the person has stopped speaking, or nobody has spoken. */
export type TurnEnd = 'silence' | 'nothing said'

/** Of each level. */
const stepMs = 20
/** A pause within a sentence is shorter. */
const silenceMs = 800
/** How long a person may think before the first word. */
const patienceMs = 8000
/** A click or a cough is shorter than this much sound within `windowMs`. */
const minSpeechMs = 120
const windowMs = 200
/** Speech is louder than the noise of the room by this much, and louder than `minSpeechDb`. */
const overNoiseDb = 9
const minSpeechDb = -55
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
    elapsedMs += stepMs
    noiseDb = Math.min(noiseDb + (riseDbPerSecond * stepMs) / 1000, Math.max(levelDb, minLevelDb))
    const isLoud = levelDb > Math.max(noiseDb + overNoiseDb, minSpeechDb)
    recent.push(isLoud)
    if (recent.length > windowMs / stepMs) recent.shift()
    const isSpeech = recent.filter(Boolean).length * stepMs >= minSpeechMs
    if (isSpeech) hasSpoken = true
    silentForMs = isSpeech ? 0 : silentForMs + stepMs
    if (hasSpoken && silentForMs >= silenceMs) return 'silence'
    return !hasSpoken && elapsedMs >= patienceMs ? 'nothing said' : undefined
  }
}

/** What quieter sounds count as. */
export const minLevelDb = -70

/** The mean level of samples in dB, below full scale. */
export function levelDb(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const rms = Math.sqrt(sum / samples.length) / 0x8000
  return Math.max(minLevelDb, 20 * Math.log10(rms))
}
