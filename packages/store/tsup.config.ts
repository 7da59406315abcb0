import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: ['esm', 'cjs'],
  target: 'node20',
  // `npm run check` checks them.
  dts: { compilerOptions: { noCheck: true } },
  clean: true,
  silent: true,
  // BullMQ's dependencies use `import.meta.url`, also in the build for `require`.
  shims: true,
  // So that it is loaded only where a store in Redis has jobs.
  splitting: true,
  // Part of the package, because npm would otherwise run a script when it installs a native, optional part of it.
  noExternal: ['bullmq'],
  external: ['ioredis', 'pg', 'msgpackr-extract'],
  esbuildOptions(options, { format }) {
    options.mainFields = ['module', 'main']
    // Its dependencies are no modules, and load those of Node with `require`.
    const lines = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`
    if (format === 'esm') options.banner = { js: lines }
  },
})
