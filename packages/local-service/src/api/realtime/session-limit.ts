import { BusyError } from '../../errors.ts'

/** Of the whole process: more sessions would stutter on two cores. */
const maxSessions = 20
const retryAfterSeconds = 5

let openSessions = 0

/** @throws {BusyError} if there are as many sessions as allowed. */
export function requireFreeSession(): void {
  if (openSessions < maxSessions) return
  const message = `The limit of ${maxSessions} realtime sessions is reached; try again in ${retryAfterSeconds} s`
  throw new BusyError(message, retryAfterSeconds)
}

/** Counts a session over any connection until the returned function is called. */
export function countSession(): () => void {
  openSessions++
  return () => {
    openSessions--
  }
}
