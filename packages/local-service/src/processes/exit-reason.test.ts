import { expect, it } from 'vitest'
import { exitReasonOf } from './exit-reason.ts'

const log = '{"level":"error","err":{"stack":"Error: too long\\n    at speak"},"msg":"failed"}'
const killed = { exitCode: null, signalCode: 'SIGKILL' } as const

it.each([
  ['', killed, 'it was ended with SIGKILL'],
  [`${log}\n`, killed, 'it was ended with SIGKILL'],
  ['', { exitCode: 1, signalCode: null }, 'it exited with code 1'],
  [`${log}\nThe port 80 is in use.\n`, { exitCode: 1, signalCode: null }, 'The port 80 is in use.'],
  // The output is cut at its start.
  [`stack"},"msg":"failed"}\n${log}\n`, killed, 'it was ended with SIGKILL'],
  [`${log}\nCannot read {"a":"b"}`, killed, 'Cannot read {"a":"b"}'],
])('a service has exited because of %j, %j: %s', (output, exit, reason) => {
  expect(exitReasonOf(output, exit)).toBe(reason)
})
