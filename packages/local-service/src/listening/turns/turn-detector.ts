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
export function maxLookbackMs({ prefixMs }: TurnRule): number {
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
