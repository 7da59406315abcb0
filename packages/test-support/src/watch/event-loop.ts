import { existsSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** The project promises that no request holds the event loop for longer, on a machine that needs `referenceMs` for the reference. */
export const maxHoldMs = 50

/** What Node 20 needs to read and to write the reference, with nothing beside it, where the limits of the product were chosen. */
const referenceMs = 6

const attempts = 5

/**
 * Measures the longest turn of the event loop during a piece of work, in milliseconds of processor time. Other processes
 * make a turn longer, but hardly its processor time. Work that exceeds the limit runs again, because a garbage collection or
 * the compiler may have caused it: the result is the shortest of five attempts. A slower machine, or one whose cores share
 * what they compute with, gets as much more time as it needs for the reference.
 */
export async function measureHold(work: () => Promise<unknown>): Promise<number> {
  let shortestMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && shortestMs > maxHoldMs; attempt++) {
    const turnMs = await longestTurn(work)
    shortestMs = Math.min(shortestMs, turnMs > maxHoldMs ? turnMs / measureSlowness() : turnMs)
  }
  return shortestMs
}

/** @returns how many times as long as it should this machine now needs for the reference, at least 1. */
function measureSlowness(): number {
  const reference = JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ index, text: `value ${index}` })),
  )
  const times = Array.from({ length: attempts }, () => {
    const readMs = startProcessorTime()
    JSON.stringify(JSON.parse(reference))
    return readMs()
  })
  return Math.max(1, Math.min(...times) / referenceMs)
}

/** Keeps this thread busy, without its processor: timers are late, and what arrives waits. */
export function holdEventLoop(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Counts the turns of the event loop that others have during a piece of work. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let turns = 0
  const count = async () => {
    for (; !isOver; turns++) await setImmediate()
  }
  const counting = count()
  try {
    await work()
  } finally {
    isOver = true
    await counting
  }
  return turns
}

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longestMs = 0
  const watch = async () => {
    while (!isOver) {
      const readMs = startProcessorTime()
      await setImmediate()
      longestMs = Math.max(longestMs, readMs())
    }
  }
  const watching = watch()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  return longestMs
}

/** @returns a function that returns the milliseconds in which this thread has used the processor since then. */
export function startProcessorTime(): () => number {
  const startedAt = performance.now()
  const before = threadTimeMs()
  return () => Math.min(threadTimeMs() - before, performance.now() - startedAt)
}

const { threadCpuUsage } = process as { threadCpuUsage?: typeof process.cpuUsage }
const linuxThreadTimes = '/proc/thread-self/schedstat'
const hasLinuxThreadTimes = existsSync(linuxThreadTimes)

/** Node 20 knows only the time of the whole process, with its garbage collectors and workers; Linux knows that of a thread. */
function threadTimeMs(): number {
  if (!threadCpuUsage && hasLinuxThreadTimes) {
    const [nanoseconds] = readFileSync(linuxThreadTimes, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  }
  const { user, system } = (threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1000
}
