import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { defineConfig, type Options } from 'tsup'

const shared: Options = { target: 'node20', silent: true }

/** The threads and processes of a folder, by the names under which package.json exports them. */
function programsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const programs = files.filter((file) => /-(program|worker)\.ts$/.test(file))
  return Object.fromEntries(programs.map((file) => [basename(file, '.ts'), `${folder}/${file}`]))
}

const library = {
  'decode-sound': 'src/audio/decoding/decode-sound.ts',
  'encode-mp3': 'src/audio/encoding/encode-mp3.ts',
  index: 'src/index.ts',
  process: 'src/process.ts',
}

export default defineConfig([
  {
    ...shared,
    // In one build, so that the library, the command and the programs share their code.
    entry: {
      ...library,
      cli: 'src/cli.ts',
      ...programsIn('src'),
    },
    format: ['esm'],
  },
  {
    ...shared,
    entry: library,
    format: ['cjs'],
    // CommonJS has no import.meta.url, which programPath() needs.
    shims: true,
  },
  {
    ...shared,
    entry: library,
    format: ['esm', 'cjs'],
    // `npm run check` checks the types.
    dts: { only: true, compilerOptions: { noCheck: true } },
  },
])
