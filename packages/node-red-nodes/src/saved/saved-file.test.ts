import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSavedFile, fileNameOf } from './saved-file.ts'

it.each(['..', 'a/../../b', '', undefined, null, {}])(
  'a node with the id %j has files in its own folder only',
  (id) => expect(fileNameOf(id)).toMatch(/^[\da-f]{16}$/),
)

it('a value that JSON cannot hold is reported, and the next one is saved', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-saved-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'saved.json')
  const errors: Error[] = []
  let value: unknown = 1n
  const file = createSavedFile(
    path,
    () => JSON.stringify(value),
    (error) => errors.push(error),
  )
  file.change()
  await file.flush()
  expect(errors).toEqual([expect.objectContaining({ name: 'TypeError' })])
  value = 1
  file.change()
  await file.flush()
  expect(readFileSync(path, 'utf8')).toBe('1')
  expect(errors).toHaveLength(1)
})
