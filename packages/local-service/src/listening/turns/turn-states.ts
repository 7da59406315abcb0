import { stepMs } from './detectors.ts'
import type { TurnStep } from './turn-evidence.ts'
import type { TurnRule } from './turn-rule.ts'

/** Where a turn stands. Times count from the first sample. */
export type TurnState =
  /** No turn has begun. Sound before `earliestMs` belongs to earlier turns. */
  | { name: 'waiting'; earliestMs: number }
  /** @param startMs the first voice of the turn. */
  | { name: 'speaking'; startMs: number }
  /** @param isIncomplete the end-of-turn model expects that the speaker goes on. */
  | { name: 'pausing'; startMs: number; silentMs: number; isIncomplete?: boolean }

/**
 * The next 10 ms, the judgement of the end-of-turn model about a pause, or the end of the turn: at the end of the sound or because
 * the caller wants it.
 */
export type TurnInput =
  | ({ type: 'step' } & TurnStep)
  | { type: 'judged'; isComplete: boolean; nowMs: number }
  | { type: 'end'; endMs: number; onsetMs: number | undefined }

export type TurnEvent =
  /** Sound from `startMs` on belongs to the turn. It is at most `maxLookbackMs()` earlier than the latest sample. */
  | { type: 'speechStarted'; startMs: number }
  /** The turn may end soon: the latest `silenceMs` are silence. Only with `TurnRule.pauses`. */
  | { type: 'speechPaused'; startMs: number; atMs: number; silenceMs: number }
  /** The speaker goes on after that. */
  | { type: 'speechResumed' }
  /** Sound up to `endMs` belongs to the turn, the last `silenceMs` of which are silence. */
  | { type: 'speechStopped'; endMs: number; silenceMs: number }

interface Transition {
  state: TurnState
  events: readonly TurnEvent[]
}

export const firstState: TurnState = { name: 'waiting', earliestMs: 0 }

/** Speech that begins right after a turn may have begun in the silence at its end. */
const overlapMs = 100

/** Applies the rule to what was heard. */
export function advance(state: TurnState, input: TurnInput, rule: TurnRule): Transition {
  if (state.name === 'waiting') return begin(state, input, rule)
  const heardMs = state.name === 'pausing' ? state.silentMs : 0
  if (input.type === 'end') return stop(input.endMs, { silenceMs: heardMs, sharedMs: 0 })
  if (input.type === 'judged') return judge(state, input)
  const { startMs } = state
  const { nowMs } = input
  const silenceMs = input.isVoiced ? 0 : heardMs + input.silenceMs
  if (silenceMs >= silenceThatEnds(state, rule)) {
    return stop(nowMs, { silenceMs, sharedMs: Math.min(overlapMs, rule.silenceMs) })
  }
  if (nowMs - startMs >= rule.maxTurnMs) return stop(nowMs, { silenceMs, sharedMs: 0 })
  const softMs = rule.pauses?.judgedAfterMs ?? Number.POSITIVE_INFINITY
  if (silenceMs === 0) {
    const events: TurnEvent[] = heardMs >= softMs ? [{ type: 'speechResumed' }] : []
    return { state: { name: 'speaking', startMs }, events }
  }
  const pausing: TurnState = { ...state, name: 'pausing', silentMs: silenceMs }
  const hasPaused = heardMs < softMs && silenceMs >= softMs
  const paused: TurnEvent = { type: 'speechPaused', startMs, atMs: nowMs, silenceMs }
  return { state: pausing, events: hasPaused ? [paused] : [] }
}

/** Whether the next step may end the turn because there is no judgement about the pause yet. */
export function lacksJudgement(state: TurnState, rule: TurnRule): boolean {
  if (state.name !== 'pausing' || !rule.pauses || state.isIncomplete) return false
  return state.silentMs + stepMs >= rule.pauses.unjudgedSilenceMs
}

function silenceThatEnds(state: TurnState, { silenceMs, pauses }: TurnRule): number {
  if (!pauses || (state.name === 'pausing' && state.isIncomplete)) return silenceMs
  return pauses.unjudgedSilenceMs
}

function judge(
  state: Exclude<TurnState, { name: 'waiting' }>,
  { isComplete, nowMs }: Extract<TurnInput, { type: 'judged' }>,
): Transition {
  if (state.name !== 'pausing') return { state, events: [] }
  if (isComplete) return stop(nowMs, { silenceMs: state.silentMs, sharedMs: overlapMs })
  return { state: { ...state, isIncomplete: true }, events: [] }
}

function begin(
  state: Extract<TurnState, { name: 'waiting' }>,
  input: TurnInput,
  rule: TurnRule,
): Transition {
  if (input.type === 'judged' || input.onsetMs === undefined) return { state, events: [] }
  const { earliestMs } = state
  const startMs = Math.max(earliestMs, input.onsetMs)
  const speaking: TurnState = { name: 'speaking', startMs }
  const prefixStartMs = Math.max(earliestMs, startMs - rule.prefixMs)
  const events: TurnEvent[] = [{ type: 'speechStarted', startMs: prefixStartMs }]
  if (input.type === 'step') return { state: speaking, events }
  const ended = advance(speaking, input, rule)
  return { state: ended.state, events: [...events, ...ended.events] }
}

/** @param sharedMs of the turn may belong to the next one too. */
function stop(
  endMs: number,
  { silenceMs, sharedMs }: { silenceMs: number; sharedMs: number },
): Transition {
  return {
    state: { name: 'waiting', earliestMs: endMs - sharedMs },
    events: [{ type: 'speechStopped', endMs, silenceMs }],
  }
}
