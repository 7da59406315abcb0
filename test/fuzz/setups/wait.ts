import { setTimeout } from 'node:timers/promises'

/** Waits for the next turn of the event loop. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Waits for a condition. The default limit only ends tests that hang. @returns whether the condition became true. */
export async function until(isSo: () => boolean, limitMs = 60_000): Promise<boolean> {
  const end = Date.now() + limitMs
  while (!isSo()) {
    if (Date.now() > end) return false
    // Without a pause, the loop takes processor time from the nodes that it waits for.
    await setTimeout(1)
  }
  return true
}
