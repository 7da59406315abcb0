import type { Priority } from './announcement.ts'
import type { NotSaidReason } from './playback-report.ts'

/** Where an announcement stands. `startedAt` is a time of `performance.now()`, `againAt` is in ms since 1970. */
export type EntryState =
  /** It waits for its turn in the queue: the first time, after it was cut, or on those that say it instead. */
  | { name: 'waiting' }
  /** It waits between two repetitions. */
  | { name: 'resting' }
  /** Somebody has postponed it. */
  | { name: 'postponed'; againAt: number }
  | { name: 'playing'; startedAt: number }
  /** It still plays, but has been told to end. */
  | { name: 'ending'; startedAt: number; reason: EndReason; againAt?: number | undefined }
  | { name: 'over' }

/** Why somebody, or another announcement, has ended a playback. */
export type EndReason = 'stopped' | 'interrupted' | 'acknowledged' | 'postponed'

/** The state of an announcement, and what it remembers of earlier ones. */
export interface EntryLife {
  state: EntryState
  /** It has begun to play at least once. */
  hasPlayed: boolean
  hasBeenCut: boolean
  /** When it last played, no speaker could say it. */
  hasFailed: boolean
  /** A newer announcement has the same topic. */
  isReplaced: boolean
  isAcknowledged: boolean
}

export type EntryEvent =
  | { type: 'start'; now: number }
  /** The first sample is heard. */
  | { type: 'heard' }
  /** It no longer plays. */
  | ({ type: 'end' } & PlaybackEnd)
  | { type: 'stop' }
  /** A more important one needs its speakers. */
  | { type: 'interrupt' }
  | { type: 'acknowledge' }
  | { type: 'postpone'; againAt: number }
  /** A newer announcement has the same topic. */
  | { type: 'replace' }
  /** It leaves the queue, unsaid or not said again. */
  | { type: 'drop'; reason: NotSaidReason }

export interface PlaybackEnd {
  /** Whether it ended before the end of its sound. */
  isCut: boolean
  /** A deploy has closed a speaker on which it could not be said, and creates it again. */
  isSpeakerReplaced: boolean
  /** Whether others will say it in place of the speakers that could not. */
  hasSubstitutes: boolean
  /** Now, or an earlier time. */
  isSaid: boolean
  /** Whether its form wants it to be said again. */
  isRepeated: boolean
  /** Why it was not said now. */
  failure: { error: unknown } | undefined
  /** The error of a speaker that no longer exists. */
  missing: unknown
}

export type EntryAction =
  /** Silences its playback. */
  | 'abort'
  /** Forgets why it could not be said: the next attempt is on its own speakers. */
  | 'beginAnew'
  /** Puts it behind all others of its priority. */
  | 'moveBack'
  /** Lets it wait until its next repetition. */
  | 'rest'
  /** Lets it wait until the time to which it was postponed. */
  | 'postpone'
  | 'showSaying'
  | 'showWaiting'
  | { reportFailure: unknown }
  /** Reports that it is over. Without a reason, it was said. */
  | { conclude: NotSaidReason | undefined }
  /** The same for one that somebody has acknowledged, and so has heard, even if it was cut. */
  | 'concludeHeard'
  | { fail: unknown }

export interface EntryRule {
  priority: Priority
  untilAcknowledged: boolean
  /** Whether it is over when a more important one, or a deploy of its speaker, interrupts it. */
  endsWhenCut: boolean
}

interface Transition {
  life: EntryLife
  actions: readonly EntryAction[]
}

/** @param againAt of an announcement that was postponed before Node-RED restarted. */
export function firstLife(againAt: number | undefined): EntryLife {
  return {
    state: againAt === undefined ? { name: 'waiting' } : { name: 'postponed', againAt },
    hasPlayed: againAt !== undefined,
    hasBeenCut: false,
    hasFailed: false,
    isReplaced: false,
    isAcknowledged: false,
  }
}

/** Whether it is not repeated. */
export function isLast({ isReplaced, isAcknowledged }: EntryLife): boolean {
  return isReplaced || isAcknowledged
}

/** What follows from an event: the next state, and what to do, in order. */
export function advance(life: EntryLife, event: EntryEvent, rule: EntryRule): Transition {
  const { state } = life
  if (state.name === 'playing' || state.name === 'ending') {
    return advancePlaying(life, state, event, rule)
  }
  return state.name === 'over' ? { life, actions: [] } : advanceSilent(life, event)
}

/** While it waits, rests or is postponed. */
function advanceSilent(life: EntryLife, event: EntryEvent): Transition {
  switch (event.type) {
    case 'start': {
      const state: EntryState = { name: 'playing', startedAt: event.now }
      return { life: { ...life, state, hasPlayed: true }, actions: [] }
    }
    case 'acknowledge': {
      const last = { ...life, isAcknowledged: true }
      // One that nobody has heard yet is still said once.
      return life.hasPlayed ? become(last, 'over', ['concludeHeard']) : { life: last, actions: [] }
    }
    case 'postpone':
      return postpone(life, event.againAt)
    case 'stop':
      return conclude(life, 'stopped')
    case 'replace':
      return conclude(life, 'replaced')
    case 'drop':
      return conclude(life, event.reason)
    default:
      return { life, actions: [] }
  }
}

function advancePlaying(
  life: EntryLife,
  { startedAt }: Playing,
  event: EntryEvent,
  rule: EntryRule,
): Transition {
  const silence = (reason: EndReason, changed = life, againAt?: number): Transition => {
    const state: EntryState = { name: 'ending', startedAt, reason, againAt }
    return { life: { ...changed, state }, actions: ['abort'] }
  }
  switch (event.type) {
    case 'heard':
      return { life: { ...life, hasFailed: false }, actions: ['showSaying'] }
    case 'stop':
      return silence('stopped')
    case 'interrupt':
      return silence('interrupted')
    case 'acknowledge':
      return silence('acknowledged', { ...life, isAcknowledged: true })
    case 'postpone':
      return silence('postponed', life, event.againAt)
    case 'replace':
      return { life: { ...life, isReplaced: true }, actions: [] }
    case 'end':
      return goOn(life, event, rule)
    default:
      return { life, actions: [] }
  }
}

type Playing = Extract<EntryState, { startedAt: number }>

/** What follows when it no longer plays. */
function goOn(life: EntryLife, ended: PlaybackEnd, rule: EntryRule): Transition {
  const { state, isReplaced } = life
  const { reason = undefined, againAt = undefined } = state.name === 'ending' ? state : {}
  if (reason === 'stopped') return conclude(life, 'stopped')
  if (reason === 'acknowledged') return become(life, 'over', ['concludeHeard'])
  if (againAt !== undefined && !isLast(life)) return postpone(life, againAt)
  if (ended.isCut) return goOnAfterCut(life, rule)
  if (ended.isSpeakerReplaced) return goOnAfterDeploy(life, rule)
  if (ended.hasSubstitutes && !isReplaced) return become(life, 'waiting', ['showWaiting'])
  const { failure } = ended
  const fatal = failure && fatalError(failure.error, life, ended, rule)
  if (fatal) return become(life, 'over', [{ fail: fatal }])
  if (isLast(life) || !ended.isRepeated) return conclude(life)
  if (!failure || ended.isSaid) return become(life, 'resting', ['moveBack', 'rest'])
  const report = life.hasFailed ? [] : [{ reportFailure: failure.error }]
  return become({ ...life, hasFailed: true }, 'resting', [...report, 'moveBack', 'rest'])
}

/**
 * No failure ends an alarm, nor a failure at a repetition, unless the speaker no longer exists.
 * @returns the error that ends it.
 */
function fatalError(
  error: unknown,
  life: EntryLife,
  { isSaid, missing }: PlaybackEnd,
  { untilAcknowledged }: EntryRule,
): unknown {
  if (!isSaid && !untilAcknowledged) return error
  if (missing || isSaid) return missing
  return isLast(life) ? error : undefined
}

function goOnAfterCut(life: EntryLife, { priority, endsWhenCut }: EntryRule): Transition {
  if (life.isReplaced) return conclude(life, 'replaced')
  const isAlarm = priority === 'alarm'
  const isSaidAgain = isAlarm || (priority !== 'info' && !life.hasBeenCut)
  if (endsWhenCut || !isSaidAgain) return conclude(life, 'interrupted')
  // An alarm is cut by an alarm, which would otherwise have to wait for it again.
  const actions: EntryAction[] = isAlarm ? ['moveBack', 'showWaiting'] : ['showWaiting']
  return become({ ...life, hasBeenCut: true }, 'waiting', actions)
}

/** Its speaker is there again at the end of the deploy. Before that, it does not begin. */
function goOnAfterDeploy(life: EntryLife, { endsWhenCut }: EntryRule): Transition {
  if (life.isReplaced) return conclude(life, 'replaced')
  if (endsWhenCut) return conclude(life, 'interrupted')
  return become(life, 'waiting', ['beginAnew', 'showWaiting'])
}

function postpone(life: EntryLife, againAt: number): Transition {
  return {
    life: { ...life, state: { name: 'postponed', againAt } },
    actions: ['moveBack', 'postpone'],
  }
}

function conclude(life: EntryLife, reason?: NotSaidReason): Transition {
  return become(life, 'over', [{ conclude: reason }])
}

function become(
  life: EntryLife,
  name: 'waiting' | 'resting' | 'over',
  actions: readonly EntryAction[],
): Transition {
  return { life: { ...life, state: { name } }, actions }
}
