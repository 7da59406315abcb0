import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { watchModels } from './watch-models.ts'

/** @param work what the reader of the models does after a change. */
async function watch(intervalMs?: number, work = async () => {}) {
  const root = await mkdtemp(join(tmpdir(), 'parlando-watch-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const folder = join(root, 'models')
  const warnings: string[] = []
  let changes = 0
  const onChange = async () => {
    changes += 1
    await work()
  }
  const warn = (message: string) => void warnings.push(message)
  const watched = await watchModels({ folder, onChange, warn, intervalMs })
  onTestFinished(() => watched.close())
  return { folder, watched, check: watched.check, changes: () => changes, warnings }
}

it('notices complete models only, and each change once', async () => {
  const { folder, check, changes } = await watch()
  await check()
  await mkdir(join(folder, '.staging-anna/anna'), { recursive: true })
  await check()
  expect(changes()).toBe(0)
  await rename(join(folder, '.staging-anna/anna'), join(folder, 'anna'))
  await check()
  await check()
  expect(changes()).toBe(1)
  await rm(join(folder, 'anna'), { recursive: true })
  await check()
  expect(changes()).toBe(2)
})

it('notices by itself what another process installs', async () => {
  const { folder, changes } = await watch(20)
  await mkdir(join(folder, 'anna'), { recursive: true })
  await expect.poll(changes).toBe(1)
})

it('notices a model that was replaced in the meantime', async () => {
  const { folder, check, changes } = await watch()
  for (const [staging, seconds] of [
    ['.staging-anna', 1000],
    ['.staging-new', 2000],
  ] as const) {
    await mkdir(join(folder, staging, 'anna'), { recursive: true })
    await utimes(join(folder, staging, 'anna'), seconds, seconds)
  }
  await rename(join(folder, '.staging-anna/anna'), join(folder, 'anna'))
  await check()
  await rm(join(folder, 'anna'), { recursive: true })
  await rename(join(folder, '.staging-new/anna'), join(folder, 'anna'))
  await check()
  expect(changes()).toBe(2)
})

it('tries again after a failure, and reports it once', async () => {
  let failures = 3
  const { folder, changes, warnings } = await watch(20, async () => {
    if (failures-- > 0) throw new Error('too many open files')
  })
  await mkdir(join(folder, 'anna'), { recursive: true })
  await expect.poll(changes).toBe(4)
  expect(warnings).toEqual([expect.stringMatching(/tries again: too many open files$/)])
})

it('waits for a running comparison before it is closed', async () => {
  let end = () => {}
  const work = () => new Promise<void>((resolve) => (end = resolve))
  const { folder, watched, check, changes } = await watch(undefined, work)
  await mkdir(join(folder, 'anna'), { recursive: true })
  const checking = check()
  await vi.waitFor(() => expect(changes()).toBe(1))
  let isClosed = false
  const closing = watched.close().then(() => {
    isClosed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isClosed).toBe(false)
  end()
  await Promise.all([checking, closing])
})
