import { describe, expect, it } from 'vitest'
import { decide, type Floor, type FloorAction, type FloorEvent, type FloorRule } from './floor.ts'

const everyFloor: readonly Floor[] = ['nobody', 'user', 'model', 'both']
const words = { type: 'turnEnded', hasWords: true, mayBeNoise: false } as const
const noise = { type: 'turnEnded', hasWords: true, mayBeNoise: true } as const
const nothing = { type: 'turnEnded', hasWords: false, mayBeNoise: true } as const
const goOn: readonly FloorAction[] = ['resume', 'respond', 'watchSilence']

type Row = [
  event: FloorEvent,
  floors: readonly Floor[],
  rule: FloorRule,
  actions: readonly FloorAction[],
]

/** Everything is allowed; the user is heard out; the client decides when the model responds. */
const open = { interrupts: true, responds: true }
const patient = { interrupts: false, responds: true }
const manual = { interrupts: false, responds: false }
const silent = { interrupts: true, responds: false }

const table: readonly Row[] = [
  [{ type: 'speechStarted' }, everyFloor, open, ['stopWatching', 'hold']],
  [{ type: 'speechStarted' }, everyFloor, patient, ['stopWatching']],

  [{ type: 'wordsHeard' }, everyFloor, open, ['interrupt']],
  [{ type: 'wordsHeard' }, everyFloor, patient, []],

  [words, ['nobody', 'model'], open, ['interrupt', 'request', ...goOn]],
  [words, ['user', 'both'], open, ['interrupt', 'request']],
  [words, everyFloor, patient, ['request', ...goOn]],
  [words, everyFloor, manual, goOn],
  [words, ['nobody', 'model'], silent, ['interrupt', ...goOn]],
  [words, ['user', 'both'], silent, ['interrupt']],

  // Only while the model speaks, a short sound may be a cough.
  [noise, ['nobody'], open, ['interrupt', 'request', ...goOn]],
  [noise, ['user'], open, ['interrupt', 'request']],
  [noise, ['model'], open, goOn],
  [noise, ['both'], open, []],
  [noise, everyFloor, patient, ['request', ...goOn]],

  [nothing, ['nobody', 'model'], open, goOn],
  [nothing, ['user', 'both'], open, []],
  [nothing, everyFloor, patient, goOn],

  [{ type: 'inputEnded' }, everyFloor, open, goOn],
  [{ type: 'responseStarts' }, everyFloor, open, ['stopWatching', 'resume']],
  [{ type: 'responseEnded' }, everyFloor, open, ['watchSilence']],
  [{ type: 'silencePassed' }, everyFloor, open, ['addSilence', 'request', 'respond']],
]

const rows = table.flatMap(([event, floors, rule, actions]) =>
  floors.map((floor) => ({ floor, event, rule, actions })),
)

describe('the floor', () => {
  it.each(rows)('%o', ({ floor, event, rule, actions }) => {
    expect(decide(floor, event, rule)).toEqual(actions)
  })
})
