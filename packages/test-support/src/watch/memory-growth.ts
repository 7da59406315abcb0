const attempts = 3

/**
 * Measures by how much a piece of work enlarges the memory of this process, in bytes. Garbage that is not collected yet, and what
 * an earlier test of the worker leaves behind, enlarges it once; what the work keeps, each time: the result is the least of three
 * attempts.
 * @param enough ends the attempts when it grows by less.
 */
export async function memoryGrowth(work: () => Promise<unknown>, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && least >= enough; attempt++) {
    const before = process.memoryUsage.rss()
    await work()
    least = Math.min(least, process.memoryUsage.rss() - before)
  }
  return least
}
