import { createSlots } from '../concurrency/slots.ts'
import { tooBusy } from '../errors/service-error.ts'
import { FairShare } from './fair-share.ts'
import { type AdmittedSpeech, SpeechLoad, type WantedSpeech } from './speech-load.ts'

export interface Task<Result> {
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
  /** For a later phrase: when its listener runs out of audio, in milliseconds of `performance.now()`. */
  neededAtMs?(): number
  /** Whose task it is. Default: all such tasks have the same caller. */
  caller?: string
  signal: AbortSignal
  /** @param workedMs tells how long the engine has worked for it so far, without interruptions. */
  run(workedMs: () => number): Promise<Result>
}

export interface Scheduler {
  /** Takes on a text. @throws {BusyError} if its speech, or that of others, would have gaps. */
  admit(wanted: WantedSpeech): AdmittedSpeech
  /**
   * Runs the task when its turn comes.
   * @throws {BusyError} if the task is a first phrase and too many tasks wait. Later phrases are always accepted, because
   * their request has already started. The signal's reason after an abort before the turn.
   */
  schedule<Result>(task: Task<Result>): Promise<Result>
  /** Call it when a running task has made sound: it may be interrupted by now. */
  noteSound(): void
  /** How many texts are being spoken, and were rejected. */
  readonly load: Pick<SpeechLoad, 'admitted' | 'rejected'>
  readonly waiting: number
  readonly running: number
}

// Under overload, first phrases would starve running streams. A stream that has been silent for this long takes
// precedence over a first phrase that arrives now.
const patienceMs = 250

/** A listener who has audio for longer than this is in no hurry. */
const dueMs = 500
/** A phrase is interrupted if its listener has audio for the time that others take meanwhile. */
const spareMs = 400
/** How many phrases more than slots are begun at a time. */
const maxInterrupted = 3

interface RunningTask {
  caller: string
  neededAtMs(): number
  workedMs: number
}

/**
 * Runs at most `slots` tasks at a time. If several callers wait for sound that they need soon, the one for which the engine has
 * worked least is next. Of the tasks of a caller, first phrases take precedence over later ones, in order of arrival; among later
 * phrases, the one whose listener runs out of audio first is next. A long text is soon far ahead of its listener, so it does not
 * delay others.
 * @param canInterrupt Whether the engine can speak a phrase before it goes on with others. First phrases then interrupt those whose
 * listeners have enough audio, and those of callers for whom the engine has worked more.
 */
export function createScheduler(slots: number, maxWaiting = 200, canInterrupt = false): Scheduler {
  const load = new SpeechLoad(slots)
  const share = new FairShare()
  const running = new Set<RunningTask>()
  let countedAtMs = 0
  const limiter = createSlots({
    slots,
    limit: {
      maxWaiting,
      toError: ({ waiting }) => tooBusy(`${waiting} phrases are already waiting to be spoken`),
    },
  })
  /** Counts the work since the last call. Of the tasks of a slot, only one runs at a time. */
  const countWork = () => {
    const now = performance.now()
    const eachMs = (now - countedAtMs) * Math.min(1, slots / running.size)
    for (const task of running) {
      task.workedMs += eachMs
      share.charge(task.caller, eachMs)
    }
    countedAtMs = now
  }
  const mayInterrupt = (caller: string) => {
    // A task that begins right now is in no set yet.
    const isSettled = running.size === limiter.running
    if (!canInterrupt || !isSettled || running.size >= slots + maxInterrupted) return false
    countWork()
    const spareUntilMs = performance.now() + spareMs
    return [...running].every((task) => {
      const neededAtMs = task.neededAtMs()
      const canWait = Number.isFinite(neededAtMs) && neededAtMs > spareUntilMs
      return canWait || share.servedMs(caller) < share.servedMs(task.caller)
    })
  }
  const begin = async <Result>(
    task: RunningTask,
    run: (workedMs: () => number) => Promise<Result>,
  ): Promise<Result> => {
    countWork()
    running.add(task)
    try {
      return await run(() => {
        countWork()
        return task.workedMs
      })
    } finally {
      countWork()
      running.delete(task)
    }
  }
  return {
    load,
    admit: (wanted) => load.admit(wanted),
    async schedule({ isFirst, caller = '', signal, run, ...task }) {
      const arrivedAtMs = performance.now()
      const neededAtMs = task.neededAtMs ?? (() => arrivedAtMs)
      const leave = share.enter(caller)
      const rank = () => {
        // A listener who reads slowly gets no precedence for the time in which nothing was requested.
        const atMs = isFirst ? arrivedAtMs - patienceMs : Math.max(arrivedAtMs, neededAtMs())
        const isDue = atMs < performance.now() + dueMs
        return isDue ? [0, share.servedMs(caller), atMs] : [1, atMs]
      }
      try {
        const release = await limiter.acquire(signal, {
          isAccepted: !isFirst,
          rank,
          mayInterrupt: () => isFirst && mayInterrupt(caller),
        })
        try {
          return await begin({ caller, neededAtMs, workedMs: 0 }, run)
        } finally {
          release()
        }
      } finally {
        leave()
      }
    },
    noteSound: () => limiter.reconsider(),
    get waiting() {
      return limiter.waiting
    },
    get running() {
      return limiter.running
    },
  }
}
