import { defineConfig, type Options } from 'tsup'

const shared: Options = { target: 'node20', silent: true }

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
      'flite-worker': 'src/engines/flite/flite-worker.ts',
      'espeak-program': 'src/engines/espeak/espeak-program.ts',
      'sherpa-program': 'src/engines/sherpa/sherpa-program.ts',
    },
    format: ['esm'],
  },
])
