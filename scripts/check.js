// npm run check: all static checks, as many at a time as the machine has cores.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { installRepository, nodePath, repository } from './prepare.js'

await installRepository()
// The longest first. The project of the repository includes the packages whose settings do not differ.
const checks = [
  ...[
    '.',
    'packages/local-service',
    'packages/node-red-nodes/tsconfig.browser.json',
    'packages/node-red-nodes',
  ].map((project) => [
    `Types of ${project}`,
    // One checker and fewer garbage collections: in parallel, the checks need half of the processor time.
    ['node_modules/typescript-7/bin/tsc', '--checkers', '1', '--project', project],
  ]),
  ['API documentation', ['node_modules/typedoc/bin/typedoc', '--emit', 'none']],
  [
    'Unused files, exports and dependencies',
    ['node_modules/knip/bin/knip.js', '--no-config-hints'],
  ],
  [
    'Format, style and import rules',
    ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  ],
]
await Promise.all(Array.from({ length: availableParallelism() }, runChecks))

/** Runs checks until none is left. */
async function runChecks() {
  for (let check = checks.shift(); check; check = checks.shift()) await runCheck(check)
}

async function runCheck([name, programArguments]) {
  try {
    const env = { ...process.env, GOGC: '400' }
    await promisify(execFile)(nodePath(), programArguments, { cwd: repository, env })
    console.log(name)
  } catch ({ message, stdout, stderr }) {
    console.log(`${name}: failed\n${stdout || stderr || message}`)
    process.exitCode = 1
  }
}
