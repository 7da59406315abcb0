import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findModelsFolders } from './find-folders.ts'

it('finds the folder of the user and, if models are in it, that of the commands', async () => {
  const data = await mkdtemp(join(tmpdir(), 'parlando-data-'))
  onTestFinished(() => rm(data, { recursive: true }))
  expect(await findModelsFolders(undefined, undefined)).toEqual([])
  expect(await findModelsFolders(undefined, data)).toEqual([])
  await mkdir(join(data, 'models/.downloads'), { recursive: true })
  expect(await findModelsFolders('/mine', data)).toEqual(['/mine'])
  await mkdir(join(data, 'models/vits-tiny'))
  expect(await findModelsFolders('/mine', data)).toEqual(['/mine', join(data, 'models')])
})
