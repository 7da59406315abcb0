import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { watchModels } from '../install/follow-models.ts'

async function watch(intervalMs?: number) {
  const root = await mkdtemp(join(tmpdir(), 'parlando-watch-'))
  const folder = join(root, 'models')
  let changes = 0
  const onChange = async () => {
    changes += 1
  }
  const watched = await watchModels({ folder, onChange, intervalMs })
  onTestFinished(async () => {
    watched.close()
    await rm(root, { recursive: true })
  })
  return { folder, check: watched.check, changes: () => changes }
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
