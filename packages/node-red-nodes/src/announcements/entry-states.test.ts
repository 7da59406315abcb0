import { expect, it } from 'vitest'
import {
  advance,
  type EntryAction,
  type EntryEvent,
  type EntryLife,
  type EntryRule,
  type EntryState,
  firstLife,
} from './entry-states.ts'

const waiting: EntryState = { name: 'waiting' }
const resting: EntryState = { name: 'resting' }
const playing: EntryState = { name: 'playing', startedAt: 5 }
const over: EntryState = { name: 'over' }
const postponed: EntryState = { name: 'postponed', againAt: 900 }
const ending = (reason: 'stopped' | 'interrupted' | 'acknowledged'): EntryState => ({
  name: 'ending',
  startedAt: 5,
  reason,
})
const endingUntil = (againAt: number): EntryState => ({
  name: 'ending',
  startedAt: 5,
  reason: 'postponed',
  againAt,
})

type Change = Partial<EntryLife>

/** Fresh from the flow, apart from these changes. */
const life = (state: EntryState, changes: Change = {}): EntryLife => ({
  ...firstLife(undefined),
  state,
  ...changes,
})

const rule = { untilAcknowledged: false, endsWhenCut: false }
const rules: Readonly<Record<'usual' | 'info' | 'passage' | 'alarm' | 'fire', EntryRule>> = {
  usual: { ...rule, priority: 'normal' },
  info: { ...rule, priority: 'info' },
  passage: { ...rule, priority: 'normal', endsWhenCut: true },
  alarm: { ...rule, priority: 'alarm' },
  /** It is said until somebody acknowledges it. */
  fire: { ...rule, priority: 'alarm', untilAcknowledged: true },
}

const said: EntryEvent = {
  type: 'end',
  isCut: false,
  isSpeakerReplaced: false,
  hasSubstitutes: false,
  isSaid: true,
  isRepeated: false,
  failure: undefined,
  missing: undefined,
}
const error = new Error('The tablet is off')
const missing = new Error('There is no such speaker')
const ended = (changes: object): EntryEvent => ({ ...said, ...changes })
const failed = (changes: object = {}) => ended({ isSaid: false, failure: { error }, ...changes })
const again: EntryEvent = { type: 'postpone', againAt: 900 }
const played = { hasPlayed: true }
const acknowledged = { isAcknowledged: true }
const replaced = { isReplaced: true }

type Row = [
  fact: string,
  state: EntryState,
  before: Change,
  event: EntryEvent,
  next: EntryState,
  after: Change,
  actions: EntryAction[],
  rule?: keyof typeof rules,
]

it.each<Row>([
  ['it starts', waiting, {}, { type: 'start', now: 5 }, playing, played, []],
  ['it starts again', resting, played, { type: 'start', now: 5 }, playing, played, []],
  ['it is stopped', waiting, {}, { type: 'stop' }, over, {}, [{ conclude: 'stopped' }]],
  ['it is replaced', waiting, {}, { type: 'replace' }, over, {}, [{ conclude: 'replaced' }]],
  [
    'it expires',
    waiting,
    {},
    { type: 'drop', reason: 'expired' },
    over,
    {},
    [{ conclude: 'expired' }],
  ],
  [
    'it is said once if acknowledged unheard',
    waiting,
    {},
    { type: 'acknowledge' },
    waiting,
    acknowledged,
    [],
  ],
  [
    'it ends if acknowledged later',
    resting,
    played,
    { type: 'acknowledge' },
    over,
    { ...played, ...acknowledged },
    ['concludeHeard'],
  ],
  ['it is postponed', resting, played, again, postponed, played, ['moveBack', 'postpone']],
  ['it cannot be interrupted', waiting, {}, { type: 'interrupt' }, waiting, {}, []],
])('while it is silent, %s', expectTransition)

it.each<Row>([
  ['it is heard', playing, { hasFailed: true }, { type: 'heard' }, playing, {}, ['showSaying']],
  ['it is stopped', playing, {}, { type: 'stop' }, ending('stopped'), {}, ['abort']],
  ['it is interrupted', playing, {}, { type: 'interrupt' }, ending('interrupted'), {}, ['abort']],
  [
    'it is acknowledged',
    playing,
    {},
    { type: 'acknowledge' },
    ending('acknowledged'),
    acknowledged,
    ['abort'],
  ],
  ['it is postponed', playing, {}, again, endingUntil(900), {}, ['abort']],
  ['it is replaced', playing, {}, { type: 'replace' }, playing, replaced, []],
  [
    'a stop overrides a delay',
    endingUntil(900),
    {},
    { type: 'stop' },
    ending('stopped'),
    {},
    ['abort'],
  ],
])('while it plays, %s', expectTransition)

it.each<Row>([
  ['it was said', playing, {}, said, over, {}, [{ conclude: undefined }]],
  ['it repeats', playing, {}, ended({ isRepeated: true }), resting, {}, ['moveBack', 'rest']],
  [
    'the last one does not repeat',
    playing,
    replaced,
    ended({ isRepeated: true }),
    over,
    replaced,
    [{ conclude: undefined }],
  ],
  [
    'others say it instead',
    playing,
    {},
    failed({ hasSubstitutes: true }),
    waiting,
    {},
    ['showWaiting'],
  ],
  [
    'a deploy has replaced its speaker, which says it from its start',
    playing,
    { hasBeenCut: true },
    failed({ isSpeakerReplaced: true, hasSubstitutes: true }),
    waiting,
    { hasBeenCut: true },
    ['beginAnew', 'showWaiting'],
    'info',
  ],
  [
    'a deploy has replaced its speaker: the rest of a text that is read aloud follows',
    playing,
    {},
    failed({ isSpeakerReplaced: true }),
    over,
    {},
    [{ conclude: 'interrupted' }],
    'passage',
  ],
  [
    'a deploy has replaced its speaker, and a newer one has replaced it',
    playing,
    replaced,
    failed({ isSpeakerReplaced: true }),
    over,
    replaced,
    [{ conclude: 'replaced' }],
  ],
  ['nobody could say it', playing, {}, failed(), over, {}, [{ fail: error }]],
  [
    'a later repetition fails',
    playing,
    {},
    failed({ isSaid: true, isRepeated: true }),
    resting,
    {},
    ['moveBack', 'rest'],
  ],
  [
    'its speaker was deleted',
    playing,
    {},
    failed({ isSaid: true, isRepeated: true, missing }),
    over,
    {},
    [{ fail: missing }],
  ],
  [
    'an alarm is tried again, and reported',
    playing,
    {},
    failed({ isRepeated: true }),
    resting,
    { hasFailed: true },
    [{ reportFailure: error }, 'moveBack', 'rest'],
    'fire',
  ],
  [
    'once',
    playing,
    { hasFailed: true },
    failed({ isRepeated: true }),
    resting,
    { hasFailed: true },
    ['moveBack', 'rest'],
    'fire',
  ],
  [
    'but not after it was acknowledged',
    playing,
    acknowledged,
    failed({ isRepeated: true }),
    over,
    acknowledged,
    [{ fail: error }],
    'fire',
  ],
  [
    'others say it instead, although it was acknowledged',
    playing,
    acknowledged,
    failed({ hasSubstitutes: true }),
    waiting,
    acknowledged,
    ['showWaiting'],
    'fire',
  ],
  [
    'others do not say it if a newer one has replaced it',
    playing,
    replaced,
    failed({ hasSubstitutes: true }),
    over,
    replaced,
    [{ fail: error }],
  ],
])('when it no longer plays: %s', expectTransition)

const cut = ended({ isCut: true, isSaid: false })

it.each<Row>([
  ['stopped', ending('stopped'), {}, cut, over, {}, [{ conclude: 'stopped' }]],
  [
    'acknowledged',
    ending('acknowledged'),
    acknowledged,
    cut,
    over,
    acknowledged,
    ['concludeHeard'],
  ],
  ['postponed', endingUntil(900), {}, cut, postponed, {}, ['moveBack', 'postpone']],
  [
    'postponed, and replaced',
    endingUntil(900),
    replaced,
    cut,
    over,
    replaced,
    [{ conclude: 'replaced' }],
  ],
  ['interrupted', ending('interrupted'), {}, cut, waiting, { hasBeenCut: true }, ['showWaiting']],
  [
    'interrupted, acknowledged before anybody had heard it',
    ending('interrupted'),
    acknowledged,
    cut,
    waiting,
    { ...acknowledged, hasBeenCut: true },
    ['showWaiting'],
  ],
  [
    'interrupted, acknowledged and replaced',
    ending('interrupted'),
    { ...acknowledged, ...replaced },
    cut,
    over,
    { ...acknowledged, ...replaced },
    [{ conclude: 'replaced' }],
  ],
  [
    'interrupted a second time',
    ending('interrupted'),
    { hasBeenCut: true },
    cut,
    over,
    { hasBeenCut: true },
    [{ conclude: 'interrupted' }],
  ],
  [
    'interrupted, of little importance',
    ending('interrupted'),
    {},
    cut,
    over,
    {},
    [{ conclude: 'interrupted' }],
    'info',
  ],
  [
    'interrupted, of which somebody says the rest',
    ending('interrupted'),
    {},
    cut,
    over,
    {},
    [{ conclude: 'interrupted' }],
    'passage',
  ],
  [
    'an alarm, interrupted by an alarm, which comes first from now on',
    ending('interrupted'),
    { hasBeenCut: true },
    cut,
    waiting,
    { hasBeenCut: true },
    ['moveBack', 'showWaiting'],
    'alarm',
  ],
  ['interrupted at its end', ending('interrupted'), {}, said, over, {}, [{ conclude: undefined }]],
])('when it has been told to end: %s', expectTransition)

const events: EntryEvent[] = [
  { type: 'start', now: 5 },
  { type: 'heard' },
  said,
  { type: 'stop' },
  { type: 'interrupt' },
  { type: 'acknowledge' },
  again,
  { type: 'replace' },
  { type: 'drop', reason: 'expired' },
]

it.each(events)('after its end, $type changes nothing', (event) => {
  const before = life(over)
  expect(advance(before, event, rules.fire)).toEqual({ life: before, actions: [] })
})

it('that was postponed before a restart waits until then, and counts as said', () => {
  expect(firstLife(900)).toMatchObject({ state: postponed, hasPlayed: true })
})

function expectTransition(...[, state, before, event, next, after, actions, rule = 'usual']: Row) {
  expect(advance(life(state, before), event, rules[rule])).toEqual({
    life: life(next, after),
    actions,
  })
}
