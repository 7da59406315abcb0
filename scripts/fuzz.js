// npm run fuzz -- --cases 1000000 wire: tries this many random cases in one area or in all. --seed N repeats a run.
import { parseArgs } from 'node:util'
import { prepare } from './prepare.js'
import { runNode } from './run-node.js'

const { values, positionals } = parseArgs({
  options: { cases: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const env = {
  ...process.env,
  ...(values.cases && { PARLANDO_FUZZ_CASES: values.cases }),
  ...(values.seed && { PARLANDO_FUZZ_SEED: values.seed }),
}

await prepare()
process.exitCode = await runNode(
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'fuzz', ...positionals],
  { env },
)
