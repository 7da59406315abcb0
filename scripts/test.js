// npm test: installs what is missing, then runs the tests that a change needs. npm run test:all runs every test. Names of
// files or projects select tests: npm test -- phrases. Arguments go to Vitest; vitest.config.ts knows the scopes.
import { installRepository } from './prepare.js'
import { runNode } from './run.js'

const all = process.argv[2] === '--all'
const vitestArguments = process.argv.slice(all ? 3 : 2)
const isSelection = vitestArguments.some((argument) => !argument.startsWith('-'))
const scope = all ? 'all' : isSelection ? '' : 'change'

await installRepository()
process.exitCode = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...vitestArguments], {
  env: { ...process.env, PARLANDO_TESTS: scope },
})
