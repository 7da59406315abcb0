import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RED } from '@parlando/test-support/node-red/fake-red'
import { expect, it, onTestFinished } from 'vitest'
import { readSampleFiles, readSamples } from './samples.ts'

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

it.runIf(process.platform !== 'win32')('does not wait for a named pipe', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-samples-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pipe = join(folder, 'anna.wav')
  execFileSync('mkfifo', [pipe])
  const failure = readSampleFiles(RED, pipe)
  await expect(failure).rejects.toThrow(/clone-voice\.error\.file/)
})
