// npm run soak -- --minutes 60: runs Node-RED with all nodes under load and causes failures.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { prepare } from './prepare.js'
import { runNode } from './run-node.js'

const help = `npm run soak -- [options]
  --minutes NUMBER   duration (default: 2)
  --report FILE      also writes the report to this file
  --seed NUMBER      repeats the run of a report
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    report: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
})

if (values.help) {
  process.stdout.write(help)
} else {
  await prepare()
  const { minutes, report, seed } = values
  const env = {
    ...process.env,
    PARLANDO_SOAK_MINUTES: minutes,
    ...(report && { PARLANDO_SOAK_REPORT: resolve(report) }),
    ...(seed && { PARLANDO_SOAK_SEED: seed }),
  }
  const vitest = 'node_modules/vitest/vitest.mjs'
  const vitestArguments = [
    'run',
    '--project',
    'soak',
    'test/soak/soak.nightly.test.ts',
    '--disable-console-intercept',
    '--reporter=verbose',
  ]
  process.exitCode = await runNode([vitest, ...vitestArguments], { env })
}
