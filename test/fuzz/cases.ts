import fc from 'fast-check'
import { TestRunner } from 'vitest'

const casesByScope: Record<string, number> = { slow: 40, all: 10_000 }

/** The number of cases per area. */
export const cases = Number(
  process.env['PARLANDO_FUZZ_CASES'] ?? casesByScope[process.env['PARLANDO_TESTS'] ?? ''] ?? 500,
)

/**
 * The seed: a new one for each run, so that runs add up to more cases. Only the merge gate uses a fixed one.
 */
const seed = Number(
  process.env['PARLANDO_FUZZ_SEED'] ??
    (process.env['CI'] ? 1 : Math.trunc(Math.random() * 2 ** 31)),
)

export interface FuzzOptions<Case> {
  /** How many of the cases to try. A case of several events counts for about as many. Default: 1, all. */
  share?: number
  lanes?: number
  each?: number
  /** How many events a case has, for the report. */
  eventsOf?(given: Case): number
}

/**
 * Tries the cases, or a share of them, from an arbitrary. Lanes, counted from 0, try their own cases in parallel. An
 * arbitrary may produce `each` cases at once. fast-check shrinks a failing case and prints its seed and path; it shrinks until
 * most of the time of the test is over, or the test would end without an error that says what failed.
 */
export async function fuzz<Case>(
  arbitrary: fc.Arbitrary<Case>,
  check: (given: Case, lane: number) => Promise<void>,
  { share = 1, lanes = 1, each = 1, eventsOf }: FuzzOptions<Case> = {},
): Promise<void> {
  const numRuns = Math.ceil((cases * share) / lanes / each)
  console.log(`${numRuns * lanes * each} cases from seed ${seed}`)
  let hasFailed = false
  let tried = 0
  let events = 0
  const progress = () => (eventsOf ? `${tried} tried, ${events} events` : `${tried} tried`)
  const run = async (lane: number) => {
    const property = fc.asyncProperty(arbitrary, async (given) => {
      if (hasFailed) return
      await check(given, lane)
      tried += 1
      events += eventsOf?.(given) ?? 0
      if (tried % 10_000 === 0) console.log(progress())
    })
    try {
      await fc.assert(property, {
        numRuns,
        seed: seed + lane,
        interruptAfterTimeLimit: 0.75 * TestRunner.getCurrentTest()!.timeout,
        markInterruptAsFailure: true,
      })
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  // Wait for all lanes, so that a failure is reported once and none continues after the test.
  const lanesRun = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => run(lane)))
  const failed = lanesRun.find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
  if (eventsOf) console.log(progress())
}
