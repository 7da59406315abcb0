import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { Readable } from 'node:stream'
import { openKept } from './run-records.ts'

// For every process of the tests: keeps what the processes that it starts print.
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  // It is told of before it has been started and has its streams.
  process.nextTick(() => {
    for (const stream of [child.stdout, child.stderr]) if (stream) keepWhatComes(stream)
  })
})

/** Nobody listens here: a stream that is listened to flows, and a test that listens later would miss its beginning. */
function keepWhatComes(stream: Readable): void {
  const kept = openKept('logs')
  const push = stream.push
  stream.push = (piece, encoding) => {
    if (piece) kept(piece)
    return push.call(stream, piece, encoding)
  }
}
