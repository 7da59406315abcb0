import { expect, it } from 'vitest'
import { defaultTurnRule } from './turn-rule.ts'
import { advance, type TurnEvent, type TurnInput, type TurnState } from './turn-states.ts'

const rule = { ...defaultTurnRule, silenceMs: 500, prefixMs: 400, maxTurnMs: 30_000 }

const waiting = (earliestMs: number): TurnState => ({ name: 'waiting', earliestMs })
const speaking = (startMs: number): TurnState => ({ name: 'speaking', startMs })
const pausing = (startMs: number, silentMs: number): TurnState => ({
  name: 'pausing',
  startMs,
  silentMs,
})

const step = { type: 'step', onsetMs: undefined, isVoiced: false, silenceMs: 10 } as const
const silent = (nowMs: number): TurnInput => ({ ...step, nowMs })
/** The speech detector reports the end of speech late. */
const speechEnds = (nowMs: number): TurnInput => ({ ...step, nowMs, silenceMs: 42 })
const voiced = (nowMs: number): TurnInput => ({ ...step, nowMs, isVoiced: true })
const onset = (nowMs: number, onsetMs: number): TurnInput => ({
  ...step,
  nowMs,
  onsetMs,
  isVoiced: true,
})
const end = (endMs: number, onsetMs?: number): TurnInput => ({ type: 'end', endMs, onsetMs })

const started = (startMs: number): TurnEvent => ({ type: 'speechStarted', startMs })
const stopped = (endMs: number, silenceMs: number): TurnEvent => ({
  type: 'speechStopped',
  endMs,
  silenceMs,
})

it.each<[string, TurnState, TurnInput, TurnState, TurnEvent[]]>([
  ['silence changes nothing', waiting(0), silent(900), waiting(0), []],
  ['a turn begins before its voice', waiting(0), onset(900, 780), speaking(780), [started(380)]],
  ['but not before the sound', waiting(0), onset(120, 0), speaking(0), [started(0)]],
  ['nor in an earlier turn', waiting(700), onset(900, 780), speaking(780), [started(700)]],
  ['voice in an earlier turn', waiting(850), onset(900, 780), speaking(850), [started(850)]],
  ['the end of the sound', waiting(0), end(1234), waiting(0), []],
  [
    'the end right after a short word',
    waiting(0),
    end(900, 780),
    waiting(900),
    [started(380), stopped(900, 0)],
  ],

  ['voice continues', speaking(100), voiced(500), speaking(100), []],
  ['a pause begins', speaking(100), silent(500), pausing(100, 10), []],
  ['with the end of speech', speaking(100), speechEnds(500), pausing(100, 42), []],
  ['a turn ends with the sound', speaking(100), end(512), waiting(512), [stopped(512, 0)]],
  ['the maximum length', speaking(0), voiced(30_000), waiting(30_000), [stopped(30_000, 0)]],

  ['silence adds up', pausing(100, 480), silent(900), pausing(100, 490), []],
  ['voice ends a pause', pausing(100, 490), voiced(900), speaking(100), []],
  [
    'enough silence ends the turn, and its end may belong to the next one',
    pausing(100, 490),
    silent(900),
    waiting(800),
    [stopped(900, 500)],
  ],
  [
    'the maximum length in a pause',
    pausing(0, 200),
    silent(30_000),
    waiting(30_000),
    [stopped(30_000, 210)],
  ],
  ['the sound ends in a pause', pausing(100, 300), end(900), waiting(900), [stopped(900, 300)]],
])('%s', (_name, state, input, next, events) => {
  expect(advance(state, input, rule)).toEqual({ state: next, events })
})

const judgedRule = {
  ...rule,
  silenceMs: 1000,
  pauses: { judgedAfterMs: 200, unjudgedSilenceMs: 500 },
}
const incomplete = (startMs: number, silentMs: number): TurnState => ({
  name: 'pausing',
  startMs,
  silentMs,
  isIncomplete: true,
})
const judged = (isComplete: boolean): TurnInput => ({ type: 'judged', isComplete, nowMs: 900 })
const paused: TurnEvent = { type: 'speechPaused', startMs: 100, atMs: 900, silenceMs: 200 }
const resumed: TurnEvent = { type: 'speechResumed' }

it.each<[string, TurnState, TurnInput, TurnState, TurnEvent[]]>([
  ['a pause is reported', pausing(100, 190), silent(900), pausing(100, 200), [paused]],
  ['once', pausing(100, 200), silent(900), pausing(100, 210), []],
  ['a complete turn ends', pausing(100, 300), judged(true), waiting(800), [stopped(900, 300)]],
  ['an incomplete one does not', pausing(100, 300), judged(false), incomplete(100, 300), []],
  ['a late judgement changes nothing', speaking(100), judged(true), speaking(100), []],
  ['nor one after the turn', waiting(700), judged(true), waiting(700), []],
  ['silence ends the unjudged', pausing(100, 490), silent(900), waiting(800), [stopped(900, 500)]],
  ['not the incomplete', incomplete(100, 490), silent(900), incomplete(100, 500), []],
  ['before more', incomplete(100, 990), silent(900), waiting(800), [stopped(900, 1000)]],
  ['the speaker goes on', incomplete(100, 400), voiced(900), speaking(100), [resumed]],
  ['after a short pause', pausing(100, 190), voiced(900), speaking(100), []],
])('with a model, %s', (_name, state, input, next, events) => {
  expect(advance(state, input, judgedRule)).toEqual({ state: next, events })
})
