import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    wire: 'src/wire/index.ts',
    audio: 'src/audio/index.ts',
    text: 'src/text/index.ts',
    address: 'src/address.ts',
    errors: 'src/errors.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node20',
  dts: true,
  clean: true,
  silent: true,
})
