import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { propertyRuns } from '@parlando/test-support/vitest/property-runs'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { lockFolder } from './lock-folder.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-lock-'))
  path = join(folder, '.lock')
  return () => rm(folder, { recursive: true })
})

/** Makes the lock look as if it had been renewed this long ago. */
async function age(ageMs: number): Promise<void> {
  const renewed = new Date(Date.now() - ageMs)
  await utimes(path, renewed, renewed)
}

it('lockFolder rejects a second owner until the first one releases the folder', async () => {
  const release = await lockFolder(folder)
  await age(50_000)
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'BUSY',
    message: expect.stringContaining(`by process ${process.pid} on `),
  })
  await release()
  await (await lockFolder(folder))()
  expect(await readdir(folder)).toEqual([])
})

it('lockFolder takes over a lock that nobody has renewed, although its process number is in use again', async () => {
  await writeFile(path, JSON.stringify({ pid: process.pid, host: 'another-container' }))
  await age(61_000)
  await (await lockFolder(folder))()
  expect(await readdir(folder)).toEqual([])
})

it('lockFolder renews its lock until it is released', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const release = await lockFolder(folder)
  await age(61_000)
  const old = (await stat(path)).mtimeMs
  vi.advanceTimersByTime(10_000)
  await vi.waitFor(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(old + 50_000))
  await release()
  expect(vi.getTimerCount()).toBe(0)
})

it('lockFolder gives an abandoned lock to one of many, which see it in different moments', async () => {
  const lockAfter = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    return lockFolder(folder)
  }
  // Each round accesses the disk some forty times.
  for (let round = 0; round < propertyRuns(500); round++) {
    await writeFile(path, '{}')
    await age(61_000)
    const starts = Array.from({ length: 8 }, (_, index) => lockAfter((index * round) % 5))
    const locks = await Promise.allSettled(starts)
    const held = locks.filter((lock) => lock.status === 'fulfilled')
    expect(held).toHaveLength(1)
    await held[0]!.value()
    expect(await readdir(folder)).toEqual([])
  }
})

it('lockFolder neither renews nor releases the lock of another owner', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const late = await lockFolder(folder)
  await age(61_000)
  const release = await lockFolder(folder)
  await late()
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'BUSY' })
  await release()
  expect(await readdir(folder)).toEqual([])
})

it.skipIf(process.platform === 'win32')(
  'lockFolder releases a folder that cannot be written any more',
  async () => {
    const release = await lockFolder(folder)
    await chmod(folder, 0o500)
    await release().finally(() => chmod(folder, 0o700))
    // Root can always write.
    expect(await readdir(folder)).toEqual(process.getuid?.() === 0 ? [] : ['.lock'])
  },
)

it.skipIf(process.platform !== 'linux')(
  'lockFolder says what to do when its file cannot be written',
  async () => {
    // Not even root can write there.
    await expect(lockFolder('/sys')).rejects.toMatchObject({
      code: 'NOT_WRITTEN',
      message: expect.stringContaining("open '/sys/.lock'). Check the folder"),
    })
  },
)
