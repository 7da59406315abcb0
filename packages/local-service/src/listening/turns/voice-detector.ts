import { quantile } from '../../audio/signal.ts'
import { createVoiceActivityDetector } from '../../audio/voice-activity.ts'
import { detectorRateHertz, frameMs, frameSamples, stepMs } from './detectors.ts'
import { createBandMeter, createNoiseFloor } from './noise-floor.ts'
import { createSteadyTones } from './steady-tones.ts'

/** Finds voiced sound in samples at 16 kHz. */
export interface VoiceDetector {
  /** @param samples 20 ms. @returns whether each half is voice. */
  push(samples: Int16Array): readonly [boolean, boolean]
  close(): void
}

const halfSamples = frameSamples / 2

// At the default threshold of 0.5, 2 and 4 dB.
const minFloorDb = 4
const minBackgroundDb = 8

/**
 * Three detectors must agree, because each one has a weakness: WebRTC's takes loud steady noise for speech, the noise
 * floor takes the beats of music for speech, and the level takes any sudden noise for speech. All three take a guitar for
 * speech, so steady tones do not count. Takes two milliseconds of processor time for a second of sound.
 */
export async function createVoiceDetector(threshold: number): Promise<VoiceDetector> {
  const activity = await createVoiceActivityDetector({
    sampleRateHertz: detectorRateHertz,
    frameMs,
    strictness: 2,
  })
  const bands = createBandMeter()
  const floor = createNoiseFloor()
  const background = createBackgroundLevel(minBackgroundDb * threshold)
  const tones = createSteadyTones()

  const isVoice = (half: Int16Array, isActive: boolean): boolean => {
    const isAboveFloor = floor.push(bands.push(half)) > minFloorDb * threshold
    return background.push(powerOf(half), isActive && isAboveFloor)
  }
  return {
    push(samples) {
      const isActive = activity.isSpeech(samples)
      const [first, second] = [samples.subarray(0, halfSamples), samples.subarray(halfSamples)]
      tones.push(samples)
      const halves: [boolean, boolean] = [isVoice(first, isActive), isVoice(second, isActive)]
      const isMusic = halves.includes(true) && tones.detect()
      return isMusic ? [false, false] : halves
    },
    close: activity.close,
  }
}

function powerOf(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += (sample / 32_768) ** 2
  return sum / samples.length
}

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
interface BackgroundLevel {
  /**
   * @param power the mean square of 10 ms of samples of −1…1.
   * @param isCandidate whether these may be speech, by other measures.
   * @returns whether these are speech: a candidate that is louder than the background.
   */
  push(power: number, isCandidate: boolean): boolean
}

/** @param startDb how far a sound must exceed the background to begin. It may then fall to half of that. */
function createBackgroundLevel(startDb: number): BackgroundLevel {
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
