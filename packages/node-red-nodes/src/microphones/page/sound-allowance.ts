import { bytesPerSecond } from '../microphone-recording.ts'

/** A text counts like this number of bytes, so that nobody can send texts without end. */
export const minMessageBytes = 100

/** How fast and how far ahead a sender may send. */
interface Rate {
  perSecond: number
  /** After a pause of the network, everything that was recorded meanwhile arrives at once. */
  burst: number
}

/** Twice as fast as sound is recorded, and ten seconds of it after a pause of the network. */
export const soundRate: Rate = { perSecond: 2 * bytesPerSecond, burst: 10 * bytesPerSecond }

/** Limits a rate with a token bucket. @returns a function that counts an amount, and returns whether it is within the rate. */
export function createAllowance(
  { perSecond, burst }: Rate,
  now = () => performance.now(),
): (amount: number) => boolean {
  let left = burst
  let countedAt = now()
  return (amount) => {
    const seconds = (now() - countedAt) / 1000
    countedAt = now()
    left = Math.min(burst, left + seconds * perSecond) - amount
    return left >= 0
  }
}
