import { setTimeout } from 'node:timers/promises'

/**
 * The heap and buffers that remain after repeated garbage collections.
 * @param enough Ends the collections when no more remains. Default: nothing is little enough.
 */
export async function heldMebibytes(enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let collections = 0; collections < 5 && least > enough; collections++) {
    // Sockets and buffers release their memory in a later turn of the event loop.
    if (collections > 0) await setTimeout(100)
    globalThis.gc!()
    const { heapUsed, external } = process.memoryUsage()
    least = Math.min(least, (heapUsed + external) / 1024 / 1024)
  }
  return least
}
