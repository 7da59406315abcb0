import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: ['esm'],
  target: 'node22',
  // `npm run check` checks them.
  dts: { compilerOptions: { noCheck: true } },
  clean: true,
  silent: true,
})
