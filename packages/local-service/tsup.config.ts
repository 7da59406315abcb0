import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { defineConfig, type Options } from 'tsup'

const shared: Options = { target: 'node20', silent: true }

/** The threads and processes of the engines, by the names under which package.json exports them. */
const enginePrograms = Object.fromEntries(
  readdirSync('src/engines', { recursive: true, encoding: 'utf8' })
    .filter((file) => /-(program|worker)\.ts$/.test(file))
    .map((file) => [basename(file, '.ts'), `src/engines/${file}`]),
)

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', process: 'src/process.ts' },
    format: ['esm', 'cjs'],
    dts: true,
    // CommonJS has no import.meta.url, which programPath() needs.
    shims: true,
  },
  {
    ...shared,
    entry: {
      cli: 'src/cli.ts',
      'clone-worker': 'src/voices/clone/clone-worker.ts',
      ...enginePrograms,
    },
    format: ['esm'],
  },
])
