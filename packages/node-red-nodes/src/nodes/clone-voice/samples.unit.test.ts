import { RED } from '@parlando/test-support/node-red/fake-red'
import { expect, it } from 'vitest'
import { readSamples } from './samples.ts'

it.each([
  ['what inherits from a Buffer', Object.create(Buffer.alloc(4)), 1],
  [
    'a text among uploaded files',
    [Buffer.alloc(4), { buffer: Buffer.alloc(4) }, { buffer: 'x' }],
    3,
  ],
])('rejects a value that is not a recording: %s', (_what, value, number) => {
  const read = () => readSamples(RED, value, 'msg.payload')
  const values = JSON.stringify({ source: 'msg.payload', number, kind: 'object' })
  expect(read).toThrow(`clone-voice.error.not-audio ${values}`)
})
