import { joinPcm } from '../../audio/signal.ts'
import {
  type DetectorStream,
  type EndOfTurnModel,
  frameSamples,
  type SpeechDetector,
  samplesPerMs,
} from './detectors.ts'
import { createPauseJudge, type PauseJudge } from './pause-judge.ts'
import { createTurnEvidence } from './turn-evidence.ts'
import { type TurnRule, withoutModel } from './turn-rule.ts'
import {
  advance,
  firstState,
  lacksJudgement,
  type TurnEvent,
  type TurnInput,
  type TurnState,
} from './turn-states.ts'
import { createVoiceDetector, type VoiceDetector } from './voice-detector.ts'

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

/** What helps to find the turns, where it is installed. */
export interface TurnModels {
  /** Finds the start of a turn, and the voice and the speech both continue it: music is rarely taken for both. */
  speechDetector?: SpeechDetector
  /** Judges pauses, if the rule asks for it. */
  endOfTurnModel?: EndOfTurnModel
}

export async function createTurnDetector(
  given: TurnRule,
  { speechDetector, endOfTurnModel }: TurnModels = {},
): Promise<TurnDetector> {
  if (!given.detectsSpeech) return createManualTurns(given)
  const rule = endOfTurnModel ? given : withoutModel(given)
  return new FoundTurns(rule, {
    judge: endOfTurnModel && rule.pauses ? createPauseJudge(endOfTurnModel) : undefined,
    voice: await createVoiceDetector(rule.threshold),
    speech: speechDetector?.open(),
  })
}

/** The model is asked this long before a pause is long enough, so that a complete turn ends without a delay. */
const headStartMs = 100

/** What hears the turns. */
interface Detectors {
  judge: PauseJudge | undefined
  voice: VoiceDetector
  speech: DetectorStream | undefined
}

/** Turns that the detectors find. */
class FoundTurns implements TurnDetector {
  readonly frameSamples = frameSamples
  readonly #rule: TurnRule
  readonly #detectors: Detectors
  readonly #evidence = createTurnEvidence()
  #state: TurnState = firstState
  /** The samples of a frame that is not complete. */
  #rest = new Int16Array()
  #received = 0
  #isClosed = false

  constructor(rule: TurnRule, detectors: Detectors) {
    this.#rule = rule
    this.#detectors = detectors
  }

  async push(samples: Int16Array): Promise<readonly TurnEvent[]> {
    this.#received += samples.length
    const all = joinPcm([this.#rest, samples])
    const complete = all.subarray(0, all.length - (all.length % frameSamples))
    this.#rest = all.slice(complete.length)
    const speechFrames = await this.#detectors.speech?.push(complete)
    const events: TurnEvent[] = []
    for (let frame = 0; frame * frameSamples < complete.length; frame++) {
      if (this.#isClosed) return []
      const start = frame * frameSamples
      const frameOfSamples = complete.subarray(start, start + frameSamples)
      events.push(...(await this.#judgeFrame(frameOfSamples, speechFrames?.[frame])))
    }
    return this.#isClosed ? [] : events
  }

  end(): readonly TurnEvent[] {
    const endMs = Math.ceil(this.#received / samplesPerMs)
    return this.#take({ type: 'end', endMs, onsetMs: this.#evidence.end() })
  }

  close(): void {
    this.#isClosed = true
    this.#detectors.voice.close()
    this.#detectors.speech?.close()
  }

  async #judgeFrame(samples: Int16Array, isSpeech: boolean | undefined): Promise<TurnEvent[]> {
    const { judge, voice } = this.#detectors
    const events: TurnEvent[] = []
    judge?.hear(samples)
    for (const isVoice of voice.push(samples)) {
      const isInTurn = this.#state.name !== 'waiting'
      const step = this.#evidence.step({ isVoice, isSpeech, isInTurn })
      events.push(...this.#take({ type: 'step', ...step }))
      if (judge) events.push(...(await this.#judgePause(judge, step.nowMs)))
      if (this.#isClosed) break
    }
    return events
  }

  /** Asks about a pause, and applies the judgement as soon as there is one and the pause is long enough. */
  async #judgePause(judge: PauseJudge, nowMs: number): Promise<readonly TurnEvent[]> {
    const state = this.#state
    const { pauses, prefixMs } = this.#rule
    if (state.name !== 'pausing' || !pauses) {
      judge.forget()
      return []
    }
    const missingMs = Math.max(0, pauses.judgedAfterMs - state.silentMs)
    if (missingMs <= headStartMs) judge.ask(nowMs - state.startMs + prefixMs, missingMs)
    if (missingMs > 0) return []
    const mustWait = lacksJudgement(state, this.#rule)
    const isComplete = mustWait ? await judge.wait() : judge.take()
    return isComplete === undefined ? [] : this.#take({ type: 'judged', isComplete, nowMs })
  }

  #take(input: TurnInput): readonly TurnEvent[] {
    const { state, events } = advance(this.#state, input, this.#rule)
    this.#state = state
    return events
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
