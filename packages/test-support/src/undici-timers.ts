import { createRequire } from 'node:module'

/** undici exports this for tests: it advances the clock of its timers to the next check. */
const { tick } = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick(): void }

/**
 * Awaits the promise without the real wait for undici's time limits. undici checks them about every half second, so
 * a limit of 50 ms takes up to a second. Here limits below a second pass within milliseconds; longer ones stay as they
 * are.
 */
export async function skipTimeLimits<Result>(promise: Promise<Result>): Promise<Result> {
  const ticking = setInterval(tick, 2)
  try {
    return await promise
  } finally {
    clearInterval(ticking)
  }
}
