import { stepMs } from './detectors.ts'

/** What the detectors have heard of one turn or the next, every 10 ms. Times count from the first step. */
export interface TurnEvidence {
  /**
   * @param heard.isSpeech undefined: there is no speech detector.
   * @param heard.isInTurn whether a turn has begun.
   */
  step(heard: { isVoice: boolean; isSpeech: boolean | undefined; isInTurn: boolean }): TurnStep
  /** Forgets what was heard. @returns when the voice began at the end of the sound; undefined if there is none. */
  end(): number | undefined
}

export interface TurnStep {
  nowMs: number
  /** When the voice began, if there is enough for a turn to begin. */
  onsetMs: number | undefined
  /** Whether the voice continues. A shorter sound does not interrupt the silence at the end of a turn. */
  isVoiced: boolean
  /** If it does not continue, how much longer the silence is than before. */
  silenceMs: number
}

/** A turn begins with this much voice within a window. */
interface Start {
  windowMs: number
  voiceMs: number
}
const startByVoice: Start = { windowMs: 200, voiceMs: 120 }
/** Speech is certain after less. */
const startBySpeech: Start = { windowMs: 150, voiceMs: 80 }
/** This much later than the voice detector, the speech detector reports a start or an end. */
const speechDelay = { startMs: 64, endMs: 32 }
const minVoiceMs = 40

const keptSteps = 200 / stepMs
/**
 * Syllables that are too short to begin a turn belong to the voice that follows them within this time: in noise, a word of
 * short syllables is noticed only half a second after its start.
 */
const maxGapMs = 300
/** Other sounds may have been taken for voice long before somebody speaks. */
const maxOnsetMs = 1000

/** How far the onset may precede the step in which a turn begins. */
export const maxOnsetLookbackMs = maxOnsetMs + speechDelay.startMs

export function createTurnEvidence(): TurnEvidence {
  const onset = createTurnOnset()
  let nowMs = 0
  let voicedMs = 0
  let wasSpeech = false
  /** When there was speech; without a speech detector, voice. */
  let latestSpeechMs = Number.NEGATIVE_INFINITY

  return {
    step({ isVoice, isSpeech, isInTurn }) {
      nowMs += stepMs
      const starts = isSpeech ?? isVoice
      const continues = isVoice && isSpeech !== false
      const hasSpeechEnded = wasSpeech && isSpeech === false
      wasSpeech = isSpeech ?? false
      if (starts) latestSpeechMs = nowMs
      // A turn begins with the voice before the speech: the speech detector misses quiet first syllables.
      onset.push(isInTurn ? continues : starts || isVoice)
      voicedMs = continues ? voicedMs + stepMs : 0
      const { windowMs, voiceMs } = isSpeech === undefined ? startByVoice : startBySpeech
      const begins = !isInTurn && starts && onset.voiceWithin(windowMs) >= voiceMs
      return {
        nowMs,
        onsetMs: begins ? onset.startMs - (isSpeech ? speechDelay.startMs : 0) : undefined,
        isVoiced: voicedMs >= minVoiceMs,
        silenceMs: stepMs + (hasSpeechEnded ? speechDelay.endMs : 0),
      }
    },
    end() {
      const { windowMs } = startByVoice
      const isSpeech = nowMs - latestSpeechMs < windowMs
      const hasVoice = isSpeech && onset.voiceWithin(windowMs) >= minVoiceMs
      const onsetMs = hasVoice ? onset.startMs : undefined
      onset.clear()
      return onsetMs
    },
  }
}

/** Collects the voice with which a turn may begin, every 10 ms. */
export interface TurnOnset {
  push(isVoice: boolean): void
  /** How much voice there was in the latest time, at most 200 ms. */
  voiceWithin(windowMs: number): number
  /** When the voice began. Times count from the first step. */
  readonly startMs: number
  /** Forgets the voice so far. */
  clear(): void
}

export function createTurnOnset(): TurnOnset {
  let latest: boolean[] = []
  let nowMs = 0
  let firstVoiceMs = 0
  let voiceEndMs = Number.NEGATIVE_INFINITY
  return {
    push(isVoice) {
      latest = [...latest.slice(1 - keptSteps), isVoice]
      if (isVoice) {
        if (nowMs - voiceEndMs > maxGapMs) firstVoiceMs = nowMs
        voiceEndMs = nowMs + stepMs
      }
      nowMs += stepMs
    },
    voiceWithin: (windowMs) => latest.slice(-windowMs / stepMs).filter(Boolean).length * stepMs,
    get startMs() {
      return Math.max(firstVoiceMs, nowMs - maxOnsetMs)
    },
    clear() {
      latest = []
    },
  }
}
