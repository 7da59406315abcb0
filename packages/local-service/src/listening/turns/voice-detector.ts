import { createVoiceActivityDetector } from '../../audio/voice-activity.ts'
import { createBackgroundLevel } from './background-level.ts'
import { detectorRateHertz, frameMs, frameSamples } from './detectors.ts'
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
