import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'

/** How many cases each area gets. */
export const cases = Number(
  process.env['PARLANDO_FUZZ_CASES'] ?? (process.env['PARLANDO_TESTS'] === 'all' ? 10_000 : 500),
)

/**
 * Where chance begins: another place every time, so that cases add up over the runs. Only what decides about a change is
 * the same for every change.
 */
const seed = Number(
  process.env['PARLANDO_FUZZ_SEED'] ??
    (process.env['CI'] ? 1 : Math.trunc(Math.random() * 2 ** 31)),
)

/**
 * Tries the cases, or a share of them, from an arbitrary; several lanes, counted from 0, go through their own at the same time.
 * An arbitrary may give several cases at once: `each` says how many.
 * What fails is made smaller by fast-check, which then says from which seed and where to find it again.
 */
export async function fuzz<Case>(
  arbitrary: fc.Arbitrary<Case>,
  check: (given: Case, lane: number) => Promise<void>,
  { share = 1, lanes = 1, each = 1 }: { share?: number; lanes?: number; each?: number } = {},
): Promise<void> {
  const numRuns = Math.ceil((cases * share) / lanes / each)
  console.log(`${numRuns * lanes * each} cases from seed ${seed}`)
  let hasFailed = false
  let tried = 0
  const run = async (lane: number) => {
    const property = fc.asyncProperty(arbitrary, async (given) => {
      if (hasFailed) return
      await check(given, lane)
      tried += 1
      if (tried % 100_000 === 0) console.log(`${tried} tried`)
    })
    try {
      await fc.assert(property, { numRuns, seed: seed + lane })
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  // All of them come to their end, so that a failure is told once and none goes on after the test.
  const lanesRun = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => run(lane)))
  const failed = lanesRun.find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

/** What cannot be freed: heap and buffers together, after as many garbage collections as it takes to free all else. */
export async function heldMebibytes(): Promise<number> {
  const sizes: number[] = []
  for (let collections = 0; collections < 5; collections++) {
    globalThis.gc!()
    const { heapUsed, external } = process.memoryUsage()
    sizes.push((heapUsed + external) / 1024 / 1024)
    // Sockets and buffers let go of their memory in a turn of their own.
    await setTimeout(100)
  }
  return Math.min(...sizes)
}
