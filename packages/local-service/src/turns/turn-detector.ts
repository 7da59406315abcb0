import type { TurnRule } from './turn-rule.ts'
import { createVoiceDetector, frameSamples } from './voice-detector.ts'

/** Finds the turns of a speaker in sound, in real time or faster. */
export interface TurnDetector {
  /** The detector judges this many samples at a time. */
  readonly frameSamples: number
  /** @param samples mono, 16 kHz, any number. @returns the events in order. */
  push(samples: Int16Array): readonly TurnEvent[]
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

const samplesPerMs = 16
const stepMs = 10
/** A turn begins with 120 ms of voice within 200 ms. */
const startWindowMs = 200
const startVoiceMs = 120
/** A shorter sound does not interrupt the silence at the end of a turn. */
const minVoiceMs = 40
/** Speech that begins right after a turn may have begun in the silence at its end. */
const overlapMs = 100

/** How far `startMs` may precede the samples after which a turn is found. */
export function maxLookbackMs({ prefixMs }: TurnRule): number {
  return startWindowMs + prefixMs + frameSamples / samplesPerMs
}

export async function createTurnDetector(rule: TurnRule): Promise<TurnDetector> {
  if (!rule.detectsSpeech) return createManualTurns(rule)
  const voice = await createVoiceDetector(rule.threshold)
  const turns = createTurns(rule)
  const frame = new Int16Array(frameSamples)
  let filled = 0
  let received = 0
  return {
    frameSamples,
    push(samples) {
      received += samples.length
      const events: TurnEvent[] = []
      for (let start = 0; start < samples.length; ) {
        const part = samples.subarray(start, start + frameSamples - filled)
        frame.set(part, filled)
        start += part.length
        filled += part.length
        if (filled < frameSamples) break
        filled = 0
        for (const isVoice of voice.push(frame)) {
          const event = turns.step(isVoice)
          if (event) events.push(event)
        }
      }
      return events
    },
    end: () => turns.end(Math.ceil(received / samplesPerMs)),
    close: voice.close,
  }
}

/** Applies the rule to one decision every 10 ms. */
function createTurns({ silenceMs, prefixMs, maxTurnMs }: TurnRule) {
  /** The decisions of the last 200 ms. */
  const window: boolean[] = []
  let nowMs = 0
  /** The first voice of the open turn. */
  let voiceStartMs: number | undefined
  let silentMs = 0
  let voicedMs = 0
  /** Sound before this belongs to earlier turns. */
  let earliestMs = 0

  const start = (): TurnEvent => {
    voiceStartMs = nowMs - (window.length - window.indexOf(true)) * stepMs
    silentMs = 0
    return { type: 'speechStarted', startMs: Math.max(earliestMs, voiceStartMs - prefixMs) }
  }
  const stop = (endMs: number, sharedMs: number): TurnEvent => {
    voiceStartMs = undefined
    earliestMs = endMs - sharedMs
    return { type: 'speechStopped', endMs, silenceMs: silentMs }
  }
  const voiceInWindowMs = () => window.filter(Boolean).length * stepMs

  return {
    step(isVoice: boolean): TurnEvent | undefined {
      nowMs += stepMs
      window.push(isVoice)
      if (window.length > startWindowMs / stepMs) window.shift()
      voicedMs = isVoice ? voicedMs + stepMs : 0
      if (voiceStartMs === undefined) {
        return isVoice && voiceInWindowMs() >= startVoiceMs ? start() : undefined
      }
      silentMs = voicedMs >= minVoiceMs ? 0 : silentMs + stepMs
      if (silentMs >= silenceMs) return stop(nowMs, Math.min(overlapMs, silenceMs))
      if (nowMs - voiceStartMs >= maxTurnMs) return stop(nowMs, 0)
      return undefined
    },
    end(endMs: number): TurnEvent[] {
      const isShortWord = voiceStartMs === undefined && voiceInWindowMs() >= minVoiceMs
      const events = isShortWord ? [start()] : []
      if (voiceStartMs !== undefined) events.push(stop(endMs, 0))
      window.length = 0
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
    push(samples) {
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
