import {
  createTurnDetector,
  type TurnModels,
} from '../../packages/local-service/src/listening/turns/turn-detector.ts'
import type { TurnRule } from '../../packages/local-service/src/listening/turns/turn-rule.ts'
import type { TurnEvent } from '../../packages/local-service/src/listening/turns/turn-states.ts'
import { type Part, rateHertz } from './recordings.ts'

/** A turn that the detector found. All times in milliseconds. */
export interface FoundTurn {
  start: number
  /** When the detector reported the start. */
  detected: number
  end: number
}

export interface Score {
  /** Turns with enough silence after them, and those of them whose end was found within the silence of the rule + 100 ms. */
  turns: number
  endsInTime: number
  /** Parts of speech of which more than 30 ms at the start, or 50 ms at the end, are in no turn. */
  startsCut: number
  endsCut: number
  /** Turns without any speech. */
  falseStarts: number
  /** From the start of the speech to its detection, and from the end of the silence to the detection of the end. */
  startDelays: readonly number[]
  endDelays: readonly number[]
}

const pieceMs = 10
const maxDelayMs = 100

/** Runs the detector as for a microphone. */
export async function findTurns(
  samples: Int16Array,
  rule: TurnRule,
  models?: TurnModels,
): Promise<FoundTurn[]> {
  const detector = await createTurnDetector(rule, models)
  const turns: FoundTurn[] = []
  const take = (events: readonly TurnEvent[], now: number) => {
    for (const event of events) {
      if (event.type === 'speechStarted') {
        turns.push({ start: event.startMs, detected: now, end: Number.POSITIVE_INFINITY })
      } else if (event.type === 'speechStopped') turns.at(-1)!.end = event.endMs
    }
  }
  const piece = (pieceMs * rateHertz) / 1000
  for (let start = 0; start < samples.length; start += piece) {
    const now = ((start + piece) / rateHertz) * 1000
    take(await detector.push(samples.subarray(start, start + piece)), now)
  }
  take(detector.end(), (samples.length / rateHertz) * 1000)
  detector.close()
  return turns
}

export function score(found: readonly FoundTurn[], speech: readonly Part[], rule: TurnRule): Score {
  const { silenceMs, prefixMs } = rule
  const parts = speech.map(({ start, end }) => ({ start: toMs(start), end: toMs(end) }))
  const turns = joinShortGaps(parts, silenceMs)
  const clear = turns.filter((turn, index) => {
    const next = turns[index + 1]?.start ?? Number.POSITIVE_INFINITY
    return next - turn.end >= silenceMs + maxDelayMs
  })
  const endDelays = clear.flatMap((turn) => {
    const end = found.find(
      ({ start, end }) => end >= turn.end - 30 && start + prefixMs < turn.end + 30,
    )
    return end ? [end.end - turn.end - silenceMs] : []
  })
  const startDelays = turns.flatMap((turn) => {
    const first = found.find(({ end, detected }) => end > turn.start && detected < turn.end + 300)
    return first && first.detected > turn.start - 100 ? [first.detected - turn.start] : []
  })
  return {
    turns: clear.length,
    endsInTime: endDelays.filter((delay) => delay <= maxDelayMs).length,
    startsCut: parts.filter((part) => firstCovered(part, found) - part.start > 30).length,
    endsCut: parts.filter((part) => part.end - lastCovered(part, found) > 50).length,
    falseStarts: found.filter((turn) => isFalse(turn, parts, rule)).length,
    startDelays,
    endDelays,
  }
}

function joinShortGaps(parts: readonly Part[], gapMs: number): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && part.start - last.end < gapMs) last.end = part.end
    else joined.push({ ...part })
  }
  return joined
}

/** The first moment of the part that is in a turn; its end if none is. */
function firstCovered(part: Part, found: readonly FoundTurn[]): number {
  const turn = found.find(({ start, end }) => end > part.start && start < part.end)
  return turn ? Math.max(part.start, turn.start) : part.end
}

function lastCovered(part: Part, found: readonly FoundTurn[]): number {
  const turn = found.findLast(({ start, end }) => end > part.start && start < part.end)
  return turn ? Math.min(part.end, turn.end) : part.start
}

function isFalse(
  turn: FoundTurn,
  parts: readonly Part[],
  { silenceMs, prefixMs }: TurnRule,
): boolean {
  const [start, end] = [turn.start + prefixMs - 150, turn.end - silenceMs + 50]
  return !parts.some((part) => part.end > start && part.start < end)
}

const toMs = (samples: number) => (samples / rateHertz) * 1000

/** The scores of several recordings as one. */
export function sum(scores: readonly Score[]): Score {
  const total = (count: (score: Score) => number) =>
    scores.reduce((all, one) => all + count(one), 0)
  return {
    turns: total(({ turns }) => turns),
    endsInTime: total(({ endsInTime }) => endsInTime),
    startsCut: total(({ startsCut }) => startsCut),
    endsCut: total(({ endsCut }) => endsCut),
    falseStarts: total(({ falseStarts }) => falseStarts),
    startDelays: scores.flatMap(({ startDelays }) => startDelays),
    endDelays: scores.flatMap(({ endDelays }) => endDelays),
  }
}
