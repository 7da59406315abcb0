import { joinPcm } from '../../audio/signal.ts'
import { frameSamples, type SpeechDetector, samplesPerMs } from './detectors.ts'
import { createTurnEvidence, maxOnsetLookbackMs } from './turn-evidence.ts'
import type { TurnRule } from './turn-rule.ts'
import {
  advance,
  firstState,
  type TurnEvent,
  type TurnInput,
  type TurnState,
} from './turn-states.ts'
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

/** How far `startMs` may precede the samples after which a turn is found. */
function maxLookbackMs({ prefixMs }: TurnRule): number {
  return maxOnsetLookbackMs + prefixMs + frameSamples / samplesPerMs
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
  const evidence = createTurnEvidence()
  let state: TurnState = firstState
  /** The samples of a frame that is not complete. */
  let rest = new Int16Array()
  let received = 0
  let isClosed = false

  const take = (input: TurnInput): readonly TurnEvent[] => {
    const next = advance(state, input, rule)
    state = next.state
    return next.events
  }
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
          const isInTurn = state.name !== 'waiting'
          const step = evidence.step({ isVoice, isSpeech: speechFrames?.[frame], isInTurn })
          events.push(...take({ type: 'step', ...step }))
        }
      }
      return events
    },
    end: () =>
      take({
        type: 'end',
        endMs: Math.ceil(received / samplesPerMs),
        onsetMs: evidence.end(),
      }),
    close() {
      isClosed = true
      voice.close()
      speech?.close()
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

/** Cuts sound into turns: for each one its start, its samples in pieces, and its end. */
export interface TurnSplitter {
  /** @param samples mono, 16 kHz, any number. The parts hold copies. */
  push(samples: Int16Array): Promise<readonly TurnPart[]>
  /** Ends the open turn, if any. Further samples may follow. */
  end(): readonly TurnPart[]
  /** Frees memory. Must be called after success and after failure. */
  close(): void
}

export type TurnPart = TurnEvent | { type: 'samples'; samples: Int16Array }

export async function createTurnSplitter(
  rule: TurnRule,
  speechDetector?: SpeechDetector,
): Promise<TurnSplitter> {
  const detector = await createTurnDetector(rule, speechDetector)
  const keptSamples = maxLookbackMs(rule) * samplesPerMs
  /** The latest samples, the last of which is number `received`. */
  let recent = new Int16Array()
  let received = 0
  /** The first sample of the open turn that was not yet returned. */
  let next: number | undefined

  const slice = (start: number, end: number): TurnPart[] => {
    const first = received - recent.length
    const samples = recent.slice(start - first, end - first)
    return samples.length > 0 ? [{ type: 'samples', samples }] : []
  }
  const toParts = (event: TurnEvent): TurnPart[] => {
    if (event.type === 'speechStarted') {
      next = event.startMs * samplesPerMs
      return [event]
    }
    const end = Math.min(event.endMs * samplesPerMs, received)
    const last = slice(next!, end)
    next = undefined
    return [...last, event]
  }

  return {
    async push(samples) {
      const joined = new Int16Array(recent.length + samples.length)
      joined.set(recent)
      joined.set(samples, recent.length)
      recent = joined
      received += samples.length
      const parts = (await detector.push(samples)).flatMap(toParts)
      // The detector may still end the turn within the last of its frames, which it has not judged yet.
      const judged = received - (received % detector.frameSamples)
      if (next !== undefined && judged > next) {
        parts.push(...slice(next, judged))
        next = judged
      }
      recent = recent.slice(-keptSamples)
      return parts
    },
    end: () => detector.end().flatMap(toParts),
    close: detector.close,
  }
}
