import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type DiskStoreOptions, openDiskStore } from './disk-store.ts'
import { soundKey } from './sound-key.ts'

const day = 24 * 60 * 60_000
const key = soundKey({ text: 'The door is open.' })
const sound = { audio: Buffer.alloc(5000, 7), facts: { encoding: 'MP3' } }

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-sounds-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'sounds')
}

const open = (options: Pick<DiskStoreOptions, 'folder'> & Partial<DiskStoreOptions>) =>
  openDiskStore({ maxBytes: 1e6, ...options })

it('finds the sounds of the process before it', async () => {
  const folder = await createFolder()
  await (await open({ folder })).add(key, sound)
  const store = await open({ folder })
  expect(await store.get(key)).toEqual(sound)
  expect(store.size()).toMatchObject({ sounds: 1 })
})

it('returns no damaged or shortened sound, and deletes its file', async () => {
  const folder = await createFolder()
  const path = join(folder, `${key}.sound`)
  for (const damage of [
    (bytes: Buffer) => bytes.fill(0, 3000, 3001),
    (bytes: Buffer) => bytes.subarray(0, -1),
    (bytes: Buffer) => bytes.subarray(0, 10),
    () => Buffer.alloc(0),
  ]) {
    await (await open({ folder })).add(key, sound)
    await writeFile(path, damage(await readFile(path)))
    const store = await open({ folder })
    expect(await store.get(key)).toBeUndefined()
    await store.close()
    expect(await readdir(folder)).toEqual([])
  }
})

it('deletes what was half written when a process ended, and leaves other files alone', async () => {
  const folder = await createFolder()
  await open({ folder })
  for (const name of ['1.part', 'README.txt']) await writeFile(join(folder, name), 'half')
  const store = await open({ folder })
  expect(store.size()).toEqual({ sounds: 0, bytes: 0 })
  expect(await readdir(folder)).toEqual(['README.txt'])
})

it('forgets a sound that nobody has used for too long, also before this process', async () => {
  const folder = await createFolder()
  await (await open({ folder })).add(key, sound)
  const longAgo = (Date.now() - 8 * day) / 1000
  await utimes(join(folder, `${key}.sound`), longAgo, longAgo)
  const early = await open({ folder, maxUnusedMs: 9 * day })
  expect(await early.get(key)).toBeDefined()
  // It notes in the file that the sound was used a moment ago.
  await early.close()
  const store = await open({ folder, maxUnusedMs: 7 * day })
  expect(await store.get(key)).toBeDefined()
  await utimes(join(folder, `${key}.sound`), longAgo, longAgo)
  const late = await open({ folder, maxUnusedMs: 7 * day })
  expect(await late.get(key)).toBeUndefined()
  await late.close()
  expect(await readdir(folder)).toEqual([])
})

it('starts with the sounds that were used last if there are more than its limit', async () => {
  const folder = await createFolder()
  const first = await open({ folder })
  const keys = [1, 2, 3].map((index) => soundKey({ index }))
  for (const [index, one] of keys.entries()) {
    await first.add(one, sound)
    await utimes(join(folder, `${one}.sound`), 1e9 + index, 1e9 + index)
  }
  const store = await open({ folder, maxBytes: 11_000, maxUnusedMs: 1e5 * day })
  const kept = await Promise.all(keys.map((one) => store.get(one)))
  expect(kept.map(Boolean)).toEqual([false, true, true])
  await store.close()
  expect(await readdir(folder)).toHaveLength(2)
})

it('goes on without a disk that fails, and says so once', async () => {
  const folder = await createFolder()
  const onProblem = vi.fn()
  const store = await open({ folder, onProblem })
  await rm(folder, { recursive: true })
  // A file where the folder was.
  await writeFile(folder, '')
  await store.add(key, sound)
  await store.add(key, sound)
  expect(await store.get(key)).toBeUndefined()
  expect(onProblem).toHaveBeenCalledTimes(1)
  await rm(folder)
  await store.add(key, sound)
  expect(await store.get(key)).toEqual(sound)
})
