import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { Readable } from 'node:stream'
import { openRecord } from './run-records.ts'

// Records the output of every child process of this process.
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  // The channel publishes before the process has started and has its streams.
  process.nextTick(() => {
    for (const stream of [child.stdout, child.stderr]) if (stream) record(stream)
  })
})

/** Wraps `push` instead of adding a listener: a listener starts the stream, and a later listener misses its beginning. */
function record(stream: Readable): void {
  const write = openRecord('logs')
  const push = stream.push
  stream.push = (chunk, encoding) => {
    if (chunk) write(chunk)
    return push.call(stream, chunk, encoding)
  }
}
