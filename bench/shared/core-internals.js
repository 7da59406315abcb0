import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const source = fileURLToPath(new URL('../../packages/core/src', import.meta.url))
const entry = `
  export { BoundedQueue } from './streams/bounded-queue.ts'
  export { createLineReader } from './streams/line-reader.ts'
  export { readSpeechLine } from './streams/speech-line.ts'
`
const maxLineBytes = 16 * 1024 * 1024

// The package does not export these parts. A data URL holds their bundle, so there is no file to delete.
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

export const { BoundedQueue } = internals

const request = { what: 'Speech' }

// All decoders share it, as the streams of a client do.
const spare = {}

/** The decoder of @parlando/core, which calls back with each chunk of audio. @returns `push(bytes)` and `end()`. */
export function createDecoder(onAudio) {
  return internals.createLineReader({
    request,
    maxLineBytes,
    spare,
    onLine(bytes, start, end) {
      const line = internals.readSpeechLine(bytes, start, end, request)
      if (line?.problem) throw new Error('The response contains an error')
      if (line && line.audio.length > 0) onAudio(line.audio)
    },
  })
}
