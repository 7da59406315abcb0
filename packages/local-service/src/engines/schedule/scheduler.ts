import { createSlots, type Slots } from '../../concurrency/slots.ts'
import { tooBusy } from '../../errors/service-error.ts'
import { type AdmittedSpeech, SpeechLoad, type WantedSpeech } from './speech-load.ts'

export interface Task<Result> {
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
  /** For a later phrase: when its listener runs out of audio, in milliseconds of `performance.now()`. */
  neededAtMs?(): number
  /** The caller whose task it is. Default: all such tasks have the same caller. */
  caller?: string
  signal: AbortSignal
  /** @param workedMs tells how long the engine has worked for it so far, without interruptions. */
  run(workedMs: () => number): Promise<Result>
}

// First phrases would starve a stream whose listener reads slowly. One that has waited for this long takes precedence over a first
// phrase that arrives now.
const patienceMs = 250

/** A listener who has audio for longer than this is in no hurry. */
const dueMs = 500
/** The time for what is not work of the engine, such as encoding. */
const graceMs = 100
/** A phrase is interrupted if its listener has audio for the phrases that are spoken meanwhile, and for this long in any case. */
const minSpareMs = 400
/** How many phrases more than slots are begun at a time. */
const maxInterrupted = 3

interface WaitingTask {
  isFirst: boolean
  caller: string
  arrivedAtMs: number
  neededAtMs(): number
}

interface RunningTask {
  caller: string
  neededAtMs(): number
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
  readonly #canInterrupt: boolean
  readonly #share = new FairShare()
  readonly #limiter: Slots
  readonly #running = new Set<RunningTask>()
  #countedAtMs = 0

  /**
   * @param canInterrupt Whether the engine can speak a phrase before it goes on with others. First phrases then interrupt those whose
   * listeners have enough audio until these go on, and those of callers for whom the engine has worked more.
   */
  constructor(slots: number, maxWaiting = 200, canInterrupt = false) {
    this.#slots = slots
    this.#canInterrupt = canInterrupt
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
    const neededAtMs = task.neededAtMs ?? (() => arrivedAtMs)
    const leave = this.#share.enter(caller)
    try {
      const release = await this.#limiter.acquire(signal, {
        isAccepted: !isFirst,
        rank: () => this.#rankOf({ isFirst, caller, arrivedAtMs, neededAtMs }),
        mayInterrupt: () => isFirst && this.#mayInterrupt(caller),
      })
      try {
        return await this.#begin({ caller, neededAtMs, workedMs: 0 }, run)
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

  #rankOf({ isFirst, caller, arrivedAtMs, neededAtMs }: WaitingTask): readonly number[] {
    const now = performance.now()
    // A listener who reads slowly gets no precedence for the time in which nothing was requested.
    const atMs = isFirst ? arrivedAtMs - patienceMs : Math.max(arrivedAtMs, neededAtMs())
    // One phrase may be running, and this one has to be spoken. A later start is better than a silence in the middle.
    const soonMs = 2 * this.#load.phraseMs + graceMs
    const runsOut = atMs > arrivedAtMs && atMs < now + soonMs
    const isDue = atMs < now + Math.max(dueMs, soonMs)
    return isDue ? [0, this.#share.servedMs(caller), runsOut ? 0 : 1, atMs] : [1, atMs]
  }

  #mayInterrupt(caller: string): boolean {
    // A task that begins right now is in no set yet.
    const isSettled = this.#running.size === this.running
    const isFull = this.#running.size >= this.#slots + maxInterrupted
    if (!this.#canInterrupt || !isSettled || isFull) return false
    this.#countWork()
    const now = performance.now()
    return [...this.#running].every((task, depth) => {
      const neededAtMs = task.neededAtMs()
      // Those that interrupt it are spoken to their ends before it goes on.
      const before = Math.ceil((this.#running.size - depth) / this.#slots)
      const spareMs = Math.max(minSpareMs, before * this.#load.phraseMs)
      const canWait = Number.isFinite(neededAtMs) && neededAtMs > now + spareMs
      return canWait || this.#share.servedMs(caller) < this.#share.servedMs(task.caller)
    })
  }

  async #begin<Result>(task: RunningTask, run: Task<Result>['run']): Promise<Result> {
    this.#countWork()
    this.#running.add(task)
    try {
      return await run(() => {
        this.#countWork()
        return task.workedMs
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
