import { joinPcm } from '../../audio/signal.ts'
import { frameSamples, samplesPerMs, stepMs } from './frames.ts'
import type { SpeechDetector } from './speech-detector.ts'
import { createTurnOnset, maxOnsetMs } from './turn-onset.ts'
import type { TurnRule } from './turn-rule.ts'
import { createVoiceDetector } from './voice-detector.ts'

/** Finds the turns of a speaker in sound, in real time or faster. */
export interface TurnDetector {
  /** The detector judges this many samples at a time. */
  readonly frameSamples: number
  /** @param samples mono, 16 kHz, any number. @returns the events in order. */
  push(samples: Int16Array): Promise<readonly TurnEvent[]>
  /** Ends the open turn, if any: at the end of the sound or because the caller wants it. Further samples may follow. */
  end(): readonly TurnEvent[]
  /** Frees memory. Must be called after success and after failure. */
  close(): void
}

/** Times count from the first sample. */
export type TurnEvent =
  /** Sound from `startMs` on belongs to the turn. It is at most `maxLookbackMs()` earlier than the latest sample. */
  | { type: 'speechStarted'; startMs: number }
  /** Sound up to `endMs` belongs to the turn, the last `silenceMs` of which are silence. */
  | { type: 'speechStopped'; endMs: number; silenceMs: number }

/** A turn begins with so much voice within a window. */
interface Start {
  windowMs: number
  voiceMs: number
}
const startByVoice: Start = { windowMs: 200, voiceMs: 120 }
/** Speech is certain after less. */
const startBySpeech: Start = { windowMs: 150, voiceMs: 80 }
/** So much later than the voice detector, the speech detector reports a start or an end. */
const speechDelay = { startMs: 64, endMs: 32 }
/** A shorter sound does not interrupt the silence at the end of a turn. */
const minVoiceMs = 40
/** Speech that begins right after a turn may have begun in the silence at its end. */
const overlapMs = 100

/** How far `startMs` may precede the samples after which a turn is found. */
export function maxLookbackMs({ prefixMs }: TurnRule): number {
  return maxOnsetMs + speechDelay.startMs + prefixMs + frameSamples / samplesPerMs
}

/**
 * @param speechDetector if there is one, it finds the start of a turn, and the voice and the speech both continue it: music
 * is rarely taken for both.
 */
export async function createTurnDetector(
  rule: TurnRule,
  speechDetector?: SpeechDetector,
): Promise<TurnDetector> {
  if (!rule.detectsSpeech) return createManualTurns(rule)
  const voice = await createVoiceDetector(rule.threshold)
  const speech = speechDetector?.open()
  const turns = createTurns(rule)
  /** The samples of a frame that is not complete. */
  let rest = new Int16Array()
  let received = 0
  let isClosed = false
  return {
    frameSamples,
    async push(samples) {
      received += samples.length
      const all = joinPcm([rest, samples])
      const complete = all.subarray(0, all.length - (all.length % frameSamples))
      rest = all.slice(complete.length)
      const speechFrames = await speech?.push(complete)
      if (isClosed) return []
      const events: TurnEvent[] = []
      for (let frame = 0; frame * frameSamples < complete.length; frame++) {
        const start = frame * frameSamples
        for (const isVoice of voice.push(complete.subarray(start, start + frameSamples))) {
          const event = turns.step(isVoice, speechFrames?.[frame])
          if (event) events.push(event)
        }
      }
      return events
    },
    end: () => turns.end(Math.ceil(received / samplesPerMs)),
    close() {
      isClosed = true
      voice.close()
      speech?.close()
    },
  }
}

/** Applies the rule to the decisions of the detectors, every 10 ms. */
function createTurns({ silenceMs, prefixMs, maxTurnMs }: TurnRule) {
  const onset = createTurnOnset()
  let nowMs = 0
  /** The first voice of the open turn. */
  let voiceStartMs: number | undefined
  let silentMs = 0
  let voicedMs = 0
  let wasSpeech = false
  /** When there was speech; without a speech detector, voice. */
  let latestSpeechMs = Number.NEGATIVE_INFINITY
  /** Sound before this belongs to earlier turns. */
  let earliestMs = 0

  const start = (delayMs: number): TurnEvent => {
    voiceStartMs = Math.max(earliestMs, onset.startMs - delayMs)
    silentMs = 0
    return { type: 'speechStarted', startMs: Math.max(earliestMs, voiceStartMs - prefixMs) }
  }
  const stop = (endMs: number, sharedMs: number): TurnEvent => {
    voiceStartMs = undefined
    earliestMs = endMs - sharedMs
    return { type: 'speechStopped', endMs, silenceMs: silentMs }
  }

  return {
    /** @param isSpeech undefined: there is no speech detector. */
    step(isVoice: boolean, isSpeech?: boolean): TurnEvent | undefined {
      nowMs += stepMs
      const isOpen = voiceStartMs !== undefined
      const starts = isSpeech ?? isVoice
      const continues = isVoice && isSpeech !== false
      const hasSpeechEnded = wasSpeech && isSpeech === false
      wasSpeech = isSpeech ?? false
      const { windowMs, voiceMs } = isSpeech === undefined ? startByVoice : startBySpeech
      if (starts) latestSpeechMs = nowMs
      // A turn begins with the voice before the speech: the speech detector misses quiet first syllables.
      onset.push(isOpen ? continues : starts || isVoice)
      voicedMs = continues ? voicedMs + stepMs : 0
      if (voiceStartMs === undefined) {
        const hasStarted = starts && onset.voiceWithin(windowMs) >= voiceMs
        return hasStarted ? start(isSpeech ? speechDelay.startMs : 0) : undefined
      }
      if (voicedMs >= minVoiceMs) silentMs = 0
      else silentMs += stepMs + (hasSpeechEnded ? speechDelay.endMs : 0)
      if (silentMs >= silenceMs) return stop(nowMs, Math.min(overlapMs, silenceMs))
      if (nowMs - voiceStartMs >= maxTurnMs) return stop(nowMs, 0)
      return undefined
    },
    end(endMs: number): TurnEvent[] {
      const { windowMs } = startByVoice
      const isSpeech =
        nowMs - latestSpeechMs < windowMs && onset.voiceWithin(windowMs) >= minVoiceMs
      const events = isSpeech && voiceStartMs === undefined ? [start(0)] : []
      if (voiceStartMs !== undefined) events.push(stop(endMs, 0))
      onset.clear()
      return events
    },
  }
}

/** Turns that only the caller ends. */
function createManualTurns({ maxTurnMs }: TurnRule): TurnDetector {
  let received = 0
  let startMs: number | undefined
  const end = (endMs: number): readonly TurnEvent[] => {
    if (startMs === undefined) return []
    startMs = undefined
    return [{ type: 'speechStopped', endMs, silenceMs: 0 }]
  }
  return {
    frameSamples: 1,
    async push(samples) {
      const events: TurnEvent[] = []
      const start = (atMs: number) => {
        startMs = atMs
        events.push({ type: 'speechStarted', startMs })
      }
      if (startMs === undefined && samples.length > 0) start(Math.floor(received / samplesPerMs))
      received += samples.length
      while (startMs !== undefined && received / samplesPerMs - startMs >= maxTurnMs) {
        const endMs = startMs + maxTurnMs
        events.push(...end(endMs))
        if (received > endMs * samplesPerMs) start(endMs)
      }
      return events
    },
    end: () => end(Math.ceil(received / samplesPerMs)),
    close() {},
  }
}
