import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    wire: 'src/wire/index.ts',
    audio: 'src/audio/index.ts',
    text: 'src/text/index.ts',
    address: 'src/address.ts',
    errors: 'src/errors.ts',
    sse: 'src/streams/sse.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node20',
  // `npm run check` checks them.
  dts: { compilerOptions: { noCheck: true } },
  clean: true,
  silent: true,
  esbuildPlugins: [
    {
      // An entry in CommonJS is one file. All entries must have the same classes of errors, so that instanceof works.
      name: 'one copy of the errors',
      setup({ initialOptions, onResolve }) {
        if (initialOptions.format !== 'cjs') return
        onResolve({ filter: /\/errors\.ts$/ }, ({ kind }) =>
          kind === 'entry-point' ? undefined : { path: './errors.cjs', external: true },
        )
      },
    },
  ],
})
