// npm test: installs what is missing, then runs the tests that a change needs. npm run test:slow runs most of the others,
// npm run test:all every test but those of npm run test:models and test:systems. Names of files or projects select tests:
// npm test -- phrases.
// Arguments go to Vitest; packages/test-support/src/vitest/tiers.ts defines the scopes.
import { installRepository } from './prepare.js'
import { runNode } from './run-node.js'

const [, wanted] = /^--(all|slow|models|systems)$/.exec(process.argv[2] ?? '') ?? []
const vitestArguments = process.argv.slice(wanted ? 3 : 2)
const isSelection = vitestArguments.some((argument) => !argument.startsWith('-'))
const scope = wanted ?? (isSelection ? '' : 'change')

// What they download is for these projects; the other projects have tests without a tier.
const projects =
  { models: ['models', 'secrets'], systems: ['systems', 'player-nodes', 'secrets'] }[scope] ?? []
vitestArguments.unshift(...projects.flatMap((project) => ['--project', project]))

await installRepository()
process.exitCode = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...vitestArguments], {
  env: { ...process.env, PARLANDO_TESTS: scope },
})
