// npm test: installs and builds what is missing, then runs every test. Arguments go to vitest.
import { prepare } from './prepare.js'
import { runNode } from './run.js'

await prepare()
process.exitCode = await runNode([
  'node_modules/vitest/vitest.mjs',
  'run',
  ...process.argv.slice(2),
])
