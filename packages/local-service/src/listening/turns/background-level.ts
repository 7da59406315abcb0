import { quantile } from '../../audio/signal.ts'
import { stepMs } from './detectors.ts'

/** The mean of the power reaches back some 60 ms. */
const smoothing = 6
/** After the last voiced sound, the level does not count as background for 300 ms. */
const hangSteps = 300 / stepMs
const historySteps = 4000 / stepMs
const minHistorySteps = 300 / stepMs
const updateSteps = 100 / stepMs
const quietestDb = -65
const initialDb = -60
/** A sound so far below the loudest one of a turn is not the speaker's: quiet music would never end the turn. */
const maxDropDb = 15
/** The share of the levels outside speech that lie below the background. */
const backgroundShare = 0.8
/** A sound whose level stays within 6 dB for 6 s is background, however loud. Speech varies by at least 7 dB. */
const steadySteps = 6000 / stepMs
const steadyCheckSteps = 500 / stepMs
const steadyDb = 6

/** Learns the level of the background, to which speech is compared. */
export interface BackgroundLevel {
  /**
   * @param power the mean square of 10 ms of samples of −1…1.
   * @param isCandidate whether these may be speech, by other measures.
   * @returns whether these are speech: a candidate that is louder than the background.
   */
  push(power: number, isCandidate: boolean): boolean
}

/** @param startDb how far a sound must exceed the background to begin. It may then fall to half of that. */
export function createBackgroundLevel(startDb: number): BackgroundLevel {
  let history: number[] = []
  /** The levels since the sound began, at most 6 s. */
  let recent: number[] = []
  let backgroundDb = initialDb
  let mean = 0
  /** The loudest level since the sound began. */
  let peakDb = Number.NEGATIVE_INFINITY
  let silentSteps = hangSteps + 1
  let steps = 0

  const learn = (levels: number[], share: number): void => {
    backgroundDb = Math.max(quietestDb, quantile(levels, share))
  }
  const isSteady = () => quantile(recent, 0.9) - quantile(recent, 0.1) < steadyDb

  return {
    push(power, isCandidate) {
      steps++
      mean += (power - mean) / smoothing
      const level = 10 * Math.log10(Math.max(mean, 1e-9))
      const isActive = silentSteps <= hangSteps
      if (isActive) recent.push(level)
      else {
        recent = []
        peakDb = Number.NEGATIVE_INFINITY
        history.push(level)
        if (steps % updateSteps === 0) {
          history = history.slice(-historySteps)
          if (history.length >= minHistorySteps) learn(history, backgroundShare)
        }
      }
      const minDb = Math.max(backgroundDb + (isActive ? startDb / 2 : startDb), peakDb - maxDropDb)
      const isSpeech = isCandidate && level > minDb
      if (isSpeech) peakDb = Math.max(peakDb, level)
      silentSteps = isSpeech ? 0 : silentSteps + 1
      if (recent.length < steadySteps || steps % steadyCheckSteps !== 0) return isSpeech
      recent = recent.slice(-steadySteps)
      if (!isSteady()) return isSpeech
      history = recent.slice(-historySteps)
      learn(history, 0.9)
      silentSteps = hangSteps + 1
      return false
    },
  }
}
