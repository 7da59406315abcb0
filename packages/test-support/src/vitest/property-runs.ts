/** Whether this run tries every random case, all noises and the largest inputs: `npm run test:all`. */
export const isThoroughRun = process.env['PARLANDO_TESTS'] === 'all'

/** @returns how many random cases a property test tries: all in a thorough run, otherwise one in twenty. */
export function propertyRuns(thorough: number): number {
  return isThoroughRun ? thorough : Math.ceil(thorough / 20)
}
