import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const source = fileURLToPath(new URL('../../packages/core/src', import.meta.url))
const entry = `
  export { createQueue } from './streams/queue.ts'
  export { createLineReader } from './streams/line-reader.ts'
  export { readSpeechLine } from './streams/speech-line.ts'
`
const maxLineBytes = 16 * 1024 * 1024

// These parts are not exported. A data address holds their bundle, so that no file has to be cleaned up.
const { outputFiles } = buildSync({
  stdin: { contents: entry, resolveDir: source, loader: 'ts' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  write: false,
})
const bundle = Buffer.from(outputFiles[0].contents).toString('base64')
const internals = await import(`data:text/javascript;base64,${bundle}`)

export const { createQueue } = internals

/** @returns `push(bytes)` and `end()` of the decoder of @parlando/core, which calls back with each piece of audio. */
export function createDecoder(onAudio) {
  return internals.createLineReader({
    maxLineBytes,
    onLine(bytes, start, end) {
      const line = internals.readSpeechLine(bytes, start, end)
      if (line?.problem) throw new Error('The answer holds an error')
      if (line && line.audio.length > 0) onAudio(line.audio)
    },
  })
}
