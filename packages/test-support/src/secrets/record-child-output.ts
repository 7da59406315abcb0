import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { Readable } from 'node:stream'
import { openRecord } from './records.ts'

// Importing this file records the output of every child process that this process starts from then on.
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  // The channel publishes before the process has started and has its streams.
  process.nextTick(() => {
    for (const stream of [child.stdout, child.stderr]) if (stream) record(stream)
  })
})

// Wraps `push` instead of adding a listener, which would start the stream before the code under test listens to it.
function record(stream: Readable): void {
  const write = openRecord('logs')
  const push = stream.push
  stream.push = (chunk, encoding) => {
    if (chunk) write(chunk)
    return push.call(stream, chunk, encoding)
  }
}
