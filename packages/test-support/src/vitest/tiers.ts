/**
 * Which tests run. The name of a file tells its tier:
 * - `change` (npm test): files without a tier, and `*.any-node.test.ts`, on the newest Node-RED.
 * - `slow` (npm run test:slow): `*.slow.test.ts`. Where a test has more cases than a merge needs, the nightly workflow runs
 *   the others: see PARLANDO_NIGHTLY.
 * - `node`: `*.any-node.test.ts`, those of the nodes in the oldest Node-RED; .ci/run runs it on the machine's own Node.
 * - `all` (npm run test:all): every test but the next two, also `*.nightly.test.ts`, on both versions of Node-RED.
 * - `models` (npm run test:models), `systems` (npm run test:systems): `*.models.test.ts`, `*.systems.test.ts`, with what they download.
 * - `selection`: what the arguments of Vitest name, on the newest Node-RED.
 */
const tiers = {
  change: '!(*.slow|*.nightly|*.models|*.systems)',
  slow: '*.slow',
  node: '*.any-node',
  all: '!(*.models|*.systems)',
  models: '*.models',
  systems: '*.systems',
  selection: '*',
}

export const scope = (process.env['PARLANDO_TESTS'] || 'selection') as keyof typeof tiers

/** The tests of some folders that run. */
export const inTier = (...folders: string[]) =>
  folders.map((path) => `${path}/${tiers[scope]}.test.ts`)

const endings = { change: '?(.any-node)', slow: '.slow', node: '.any-node' }
/** The end of a name that has more than its tier, such as `.recording.slow`. */
export const tierEnding = endings[scope as 'change'] ?? '*'

export const recordingsIn = (folder: string) => [`${folder}/*.recording${tierEnding}.test.ts`]
