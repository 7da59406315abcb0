import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDiskJobStore } from './jobs/disk-job-store.ts'
import { openDiskStore } from './sounds/disk-store.ts'
import { soundKey } from './sounds/sound-key.ts'

/** Of a folder that does not exist yet, and of all that is written to it. @returns who may do what, as digits. */
async function modesAfter(write: (folder: string) => Promise<void>): Promise<string[]> {
  const parent = mkdtempSync(join(tmpdir(), 'parlando-private-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'own')
  await write(folder)
  const names = ['', ...(readdirSync(folder, { recursive: true }) as string[])]
  return names.map((name) => {
    const stat = statSync(join(folder, name))
    return `${stat.isFile() ? 'file' : 'folder'} ${(stat.mode & 0o777).toString(8)}`
  })
}

const isWindows = process.platform === 'win32'

// They contain what people have said.
it.skipIf(isWindows)('only their user can read sounds that are kept', async () => {
  const modes = await modesAfter(async (folder) => {
    const store = await openDiskStore({ folder, maxBytes: 1_000_000 })
    await store.add(soundKey({ text: 'Hi.' }), { audio: Buffer.alloc(100), facts: {} })
    await store.close()
  })
  expect(modes.length).toBeGreaterThan(1)
  expect(modes.filter((mode) => !['file 600', 'folder 700'].includes(mode))).toEqual([])
})

it.skipIf(isWindows)('only their user can read texts and audio of jobs', async () => {
  const modes = await modesAfter(async (folder) => {
    const entry = { document: '{}', owner: 'me', bytes: 1, hasEnded: false, round: 0 }
    const store = await openDiskJobStore({ folder, readEntry: () => entry })
    await store.add('job', entry)
    await store.writePiece('job', 'texts', Buffer.from('Hi.'))
    await store.close()
  })
  expect(modes.filter((mode) => mode.startsWith('file'))).toHaveLength(2)
  expect(modes.filter((mode) => !['file 600', 'folder 700'].includes(mode))).toEqual([])
})
