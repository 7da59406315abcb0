import type { TurnStep } from './turn-evidence.ts'
import type { TurnRule } from './turn-rule.ts'

/** Where a turn stands. Times count from the first sample. */
export type TurnState =
  /** No turn has begun. Sound before `earliestMs` belongs to earlier turns. */
  | { name: 'waiting'; earliestMs: number }
  /** @param startMs the first voice of the turn. */
  | { name: 'speaking'; startMs: number }
  | { name: 'pausing'; startMs: number; silentMs: number }

/** The next 10 ms, or the end of the turn: at the end of the sound or because the caller wants it. */
export type TurnInput =
  | ({ type: 'step' } & TurnStep)
  | { type: 'end'; endMs: number; onsetMs: number | undefined }

export type TurnEvent =
  /** Sound from `startMs` on belongs to the turn. It is at most `maxLookbackMs()` earlier than the latest sample. */
  | { type: 'speechStarted'; startMs: number }
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
  const { startMs } = state
  const { nowMs } = input
  const silenceMs = input.isVoiced ? 0 : heardMs + input.silenceMs
  if (silenceMs >= rule.silenceMs) {
    return stop(nowMs, { silenceMs, sharedMs: Math.min(overlapMs, rule.silenceMs) })
  }
  if (nowMs - startMs >= rule.maxTurnMs) return stop(nowMs, { silenceMs, sharedMs: 0 })
  if (silenceMs === 0) return { state: { name: 'speaking', startMs }, events: [] }
  return { state: { name: 'pausing', startMs, silentMs: silenceMs }, events: [] }
}

function begin(
  state: Extract<TurnState, { name: 'waiting' }>,
  input: TurnInput,
  rule: TurnRule,
): Transition {
  if (input.onsetMs === undefined) return { state, events: [] }
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
