// npm run check: all static checks.
import { installRepository } from './prepare.js'
import { runNode } from './run.js'

await installRepository()
const steps = [
  [
    'Format, style and import rules',
    ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  ],
  [
    'Unused files, exports and dependencies',
    ['node_modules/knip/bin/knip.js', '--no-config-hints'],
  ],
  ['API documentation', ['node_modules/typedoc/bin/typedoc', '--emit', 'none']],
  ...['packages/core', 'packages/local-service', 'packages/node-red-nodes', '.'].map((project) => [
    `Types of ${project}`,
    ['node_modules/typescript/bin/tsc', '--project', project],
  ]),
]
for (const [name, programArguments] of steps) {
  console.log(name)
  process.exitCode = await runNode(programArguments)
  if (process.exitCode) break
}
