import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createSavedList, type SavedEntry } from './saved-list.ts'

it('a full list forgets what was not saved for the longest time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-saved-'))
  const onError = vi.fn()
  const list = createSavedList({
    path: join(folder, 'list.json'),
    isEntry: (value): value is SavedEntry => value !== null,
    maxEntries: 2,
    onError,
  })
  onTestFinished(async () => {
    await list.flush()
    rmSync(folder, { recursive: true })
  })
  // As a reminder that repeats, which is saved again each time.
  for (const id of ['repeats', 'once', 'repeats', 'new']) list.save({ id, nodeId: 'node' })
  expect(list.of('node').map(({ id }) => id)).toEqual(['repeats', 'new'])
  expect(onError).toHaveBeenCalledTimes(1)
})
