import { availableParallelism } from 'node:os'
import { BusyError } from '../../errors.ts'

const retryAfterSeconds = 5

/**
 * Sessions of the whole process. With more than five per core, speech has gaps if all users speak at once. More than 20 were
 * never measured.
 */
export const maxSessions = sessionLimit(availableParallelism())

export function sessionLimit(cores: number): number {
  return Math.min(20, 5 * cores)
}

let openSessions = 0

/** @throws {BusyError} if there are as many sessions as allowed. */
export function requireFreeSession(): void {
  if (openSessions < maxSessions) return
  const limit = `at most ${maxSessions} conversations at the same time on this device`
  const reason = `five per core, up to ${sessionLimit(Number.POSITIVE_INFINITY)}`
  const message = `The service holds ${limit} (${reason}); try again in ${retryAfterSeconds} s`
  throw new BusyError(message, retryAfterSeconds)
}

/**
 * Counts a session over any connection until the returned function is called.
 * @throws {BusyError} if there are as many sessions as allowed.
 */
export function acquireSession(): () => void {
  requireFreeSession()
  openSessions++
  return () => {
    openSessions--
  }
}
