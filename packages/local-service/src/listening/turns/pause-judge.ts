import { setTimeout as wait } from 'node:timers/promises'
import { detectorRateHertz, type EndOfTurnModel, samplesPerMs } from './detectors.ts'

/** Asks the end-of-turn model about the pauses of a speaker, and keeps the sound that it needs. */
export interface PauseJudge {
  /** @param frame the next samples. */
  hear(frame: Int16Array): void
  /**
   * Asks about a pause, once, before it is as long as the model expects.
   * @param turnMs how long the turn is. @param missingMs of its silence are still to come.
   */
  ask(turnMs: number, missingMs: number): void
  /** @returns whether the turn is complete, once; undefined before the judgement. */
  take(): boolean | undefined
  /** Waits for the judgement, if there is time left. @returns as `take`. */
  wait(): Promise<boolean | undefined>
  /** Forgets the pause: the turn has ended, or the speaker goes on. */
  forget(): void
}

const heardSeconds = 8
/**
 * A judgement has this much time. With speech in real time, it is over when the default silence is, so that a slow machine ends turns
 * as it does without a model. Sound that arrives faster waits.
 */
const judgementLimitMs = 400

export function createPauseJudge(model: EndOfTurnModel): PauseJudge {
  const recent = createRecentSound(heardSeconds * detectorRateHertz)
  let judgement: boolean | undefined
  /** Of the pause about which it was asked. */
  let judging: Promise<void> | undefined
  let askedMs = 0

  void model.prepare()
  const judge: PauseJudge = {
    hear: recent.push,
    ask(turnMs, missingMs) {
      if (judging) return
      askedMs = performance.now()
      const heard = recent.last(turnMs * samplesPerMs)
      const current = model.isComplete(prolong(heard, missingMs)).then((isComplete) => {
        if (judging === current) judgement = isComplete
      })
      judging = current
    },
    take() {
      const taken = judgement
      judgement = undefined
      return taken
    },
    async wait() {
      const leftMs = askedMs + judgementLimitMs - performance.now()
      if (judging && leftMs > 0) await atMost(leftMs, judging)
      return judge.take()
    },
    forget() {
      judgement = undefined
      judging = undefined
    },
  }
  return judge
}

/** Repeats the end of the sound: the pause probably goes on as it has begun, with the noise of the room. */
function prolong(sound: Int16Array, ms: number): Int16Array {
  const longer = new Int16Array(sound.length + ms * samplesPerMs)
  longer.set(sound)
  for (let at = sound.length; at < longer.length; at++) {
    longer[at] = longer[at - ms * samplesPerMs] ?? 0
  }
  return longer
}

async function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  const done = new AbortController()
  const limit = wait(limitMs, undefined, { signal: done.signal }).catch(() => {})
  await Promise.race([work, limit])
  done.abort()
}

/** Keeps the latest samples, at most this many. */
function createRecentSound(size: number) {
  const samples = new Int16Array(size)
  let received = 0
  return {
    push(frame: Int16Array) {
      const start = received % size
      const fitting = frame.subarray(0, size - start)
      samples.set(fitting, start)
      samples.set(frame.subarray(fitting.length))
      received += frame.length
    },
    /** @returns a copy. */
    last(count: number): Int16Array {
      const kept = Math.min(Math.round(count), size, received)
      return Int16Array.from({ length: kept }, (_, at) => samples[(received - kept + at) % size]!)
    },
  }
}
