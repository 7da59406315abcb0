import { createSlots, isLower, type Slots } from '../../concurrency/slots.ts'
import { tooBusy } from '../../errors/service-error.ts'
import type { Engine } from '../engine.ts'
import { type AdmittedSpeech, SpeechLoad, type WantedSpeech } from './speech-load.ts'

export interface Task<Result> {
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
  /** For a later phrase: when its listener runs out of audio, in milliseconds of `performance.now()`. */
  neededAtMs?(): number
  /** The caller whose task it is. Default: all such tasks have the same caller. */
  caller?: string
  signal: AbortSignal
  run(progress: TaskProgress): Promise<Result>
}

/** A task that runs, among the others. */
export interface TaskProgress {
  /** How long the engine has worked for it so far, without interruptions. */
  workedMs(): number
  /** How many of the tasks that run are more urgent. */
  rank(): number
}

// First phrases would starve a stream whose listener reads slowly. One that has waited for this long takes precedence over a first
// phrase that arrives now.
const patienceMs = 250

/** A listener who has audio for longer than this is in no hurry. */
const dueMs = 500
/** The time for what is not work of the engine, such as encoding. */
const graceMs = 100
/** How many phrases more than slots are begun at a time. */
const maxInterrupted = 3

interface Wanted {
  isFirst: boolean
  caller: string
  arrivedAtMs: number
  neededAtMs(): number
}

interface Running extends Wanted {
  workedMs: number
}

/**
 * Runs at most `slots` tasks at a time. If several callers wait for sound that they need soon, the one for which the engine has
 * worked least is next. Of the tasks of a caller, those whose listeners are about to run out of audio come first, then first phrases in
 * order of arrival, then other later phrases, the one whose listener runs out of audio first. A long text is soon far ahead of its
 * listener, so it does not delay others.
 */
export class Scheduler {
  /** How many texts are being spoken, and were rejected. */
  readonly load: Pick<SpeechLoad, 'admitted' | 'rejected'>
  readonly #load: SpeechLoad
  readonly #slots: number
  readonly #interruption: Engine['interruption']
  readonly #share = new FairShare()
  readonly #limiter: Slots
  readonly #running = new Set<Running>()
  #countedAtMs = 0

  /**
   * @param interruption of the engine. A first phrase then begins if it is more urgent than those that are being spoken. If the
   * interruption is free, so does one whose listener runs out of audio.
   */
  constructor(slots: number, maxWaiting = 200, interruption?: Engine['interruption']) {
    this.#slots = slots
    this.#interruption = interruption
    this.#load = new SpeechLoad(slots)
    this.load = this.#load
    this.#limiter = createSlots({
      slots,
      limit: {
        maxWaiting,
        toError: ({ waiting }) => tooBusy(`${waiting} phrases are already waiting to be spoken`),
      },
    })
  }

  get waiting(): number {
    return this.#limiter.waiting
  }

  get running(): number {
    return this.#limiter.running
  }

  /** Takes on a text. @throws {BusyError} if its speech, or that of others, would have gaps. */
  admit(wanted: WantedSpeech): AdmittedSpeech {
    return this.#load.admit(wanted)
  }

  /**
   * Runs the task when its turn comes.
   * @throws {BusyError} if the task is a first phrase and too many tasks wait. Later phrases are always accepted, because
   * their request has already started. The signal's reason after an abort before the turn.
   */
  async schedule<Result>(task: Task<Result>): Promise<Result> {
    const { isFirst, caller = '', signal, run } = task
    const arrivedAtMs = performance.now()
    const { neededAtMs = () => (isFirst ? Number.POSITIVE_INFINITY : arrivedAtMs) } = task
    const wanted = { isFirst, caller, arrivedAtMs, neededAtMs }
    const leave = this.#share.enter(caller)
    try {
      const release = await this.#limiter.acquire(signal, {
        isAccepted: !isFirst,
        rank: () => this.#rankOf(wanted),
        mayInterrupt: () => this.#mayInterrupt(wanted),
      })
      try {
        return await this.#begin({ ...wanted, workedMs: 0 }, run)
      } finally {
        release()
      }
    } finally {
      leave()
    }
  }

  /** Call it when a running task has made sound: it may be interrupted by now. */
  noteSound(): void {
    this.#limiter.reconsider()
  }

  #rankOf(wanted: Wanted): readonly number[] {
    const { atMs, runsOut, isDue } = this.#urgencyOf(wanted)
    return isDue ? [0, this.#share.servedMs(wanted.caller), runsOut ? 0 : 1, atMs] : [1, atMs]
  }

  /** When its listener needs it, whether the listener is about to run out of audio, and whether it should be spoken soon. */
  #urgencyOf({ isFirst, arrivedAtMs, neededAtMs }: Wanted) {
    const now = performance.now()
    const silentAtMs = neededAtMs()
    const isSilent = isFirst && !Number.isFinite(silentAtMs)
    // A listener who reads slowly gets no precedence for the time in which nothing was requested.
    const atMs = isSilent ? arrivedAtMs - patienceMs : Math.max(arrivedAtMs, silentAtMs)
    // One phrase may be running, and this one has to begin. A later start of others is better than a silence in the middle.
    const soonMs = (this.#interruption === 'free' ? 0.5 : 2) * this.#load.phraseMs + graceMs
    const runsOut = atMs > arrivedAtMs && atMs < now + soonMs
    return { atMs, runsOut, isDue: atMs < now + Math.max(dueMs, soonMs) }
  }

  #mayInterrupt(wanted: Wanted): boolean {
    // A task that begins right now is in no set yet.
    const isSettled = this.#running.size === this.running
    const isFull = this.#running.size >= this.#slots + maxInterrupted
    if (!this.#interruption || !isSettled || isFull) return false
    const mayRunOut = this.#interruption === 'free' && this.#urgencyOf(wanted).runsOut
    if (!wanted.isFirst && !mayRunOut) return false
    this.#countWork()
    return this.#countMoreUrgent(wanted) < this.#slots
  }

  #countMoreUrgent(wanted: Wanted): number {
    const rank = this.#rankOf(wanted)
    return [...this.#running].filter((other) => isLower(this.#rankOf(other), rank)).length
  }

  async #begin<Result>(task: Running, run: Task<Result>['run']): Promise<Result> {
    this.#countWork()
    this.#running.add(task)
    try {
      return await run({
        workedMs: () => {
          this.#countWork()
          return task.workedMs
        },
        rank: () => this.#countMoreUrgent(task),
      })
    } finally {
      this.#countWork()
      this.#running.delete(task)
    }
  }

  /** Counts the work since the last call. Of the tasks of a slot, only one runs at a time. */
  #countWork(): void {
    const now = performance.now()
    const eachMs = (now - this.#countedAtMs) * Math.min(1, this.#slots / this.#running.size)
    for (const task of this.#running) {
      task.workedMs += eachMs
      this.#share.charge(task.caller, eachMs)
    }
    this.#countedAtMs = now
  }
}

/**
 * How much an engine has worked for each caller that wants something of it now. A caller that comes back begins with as much
 * as the one for which the engine has worked least, so that nobody saves up a share.
 */
export class FairShare {
  readonly #callers = new Map<string, { servedMs: number; tasks: number }>()

  /** Counts a task that waits or is worked on, until the returned function is called. */
  enter(caller: string): () => void {
    const least = Math.min(...Array.from(this.#callers.values(), ({ servedMs }) => servedMs))
    const entry = this.#callers.get(caller) ?? {
      servedMs: this.#callers.size > 0 ? least : 0,
      tasks: 0,
    }
    this.#callers.set(caller, entry)
    entry.tasks += 1
    return () => {
      entry.tasks -= 1
      if (entry.tasks === 0) this.#callers.delete(caller)
    }
  }

  /** Adds time that the engine has worked for a caller. */
  charge(caller: string, tookMs: number): void {
    const entry = this.#callers.get(caller)
    if (entry) entry.servedMs += tookMs
  }

  servedMs(caller: string): number {
    return this.#callers.get(caller)?.servedMs ?? 0
  }
}
