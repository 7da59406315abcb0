import fc from 'fast-check'

/** Whether this run tries every random case, all noises and the largest inputs: `npm run test:all`. */
export const isThoroughRun = process.env['PARLANDO_TESTS'] === 'all'

// Each run tries other cases, except in the merge gate: a case that fails for the first time is not the fault of its change.
if (process.env['CI'] && !isThoroughRun) fc.configureGlobal({ seed: 1 })

/** @returns all cases in a thorough run, otherwise the first few. */
export function casesToRun<Case>(cases: readonly Case[], few: number): readonly Case[] {
  return isThoroughRun ? cases : cases.slice(0, few)
}

/** @returns how many random cases a property test tries: all in a thorough run, otherwise one in twenty. */
export function propertyRuns(thorough: number): number {
  return isThoroughRun ? thorough : Math.ceil(thorough / 20)
}
