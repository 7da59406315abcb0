import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { writeBundle } from './bundle.ts'
import {
  describeFiles,
  type InstalledModel,
  type InstallRecord,
  readInstalled,
  writeRecord,
} from './install-record.ts'

let root: string
let model: InstalledModel
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parlando-bundle-'))
  const folder = join(root, 'vits-tiny')
  await mkdir(folder)
  await writeFile(join(folder, 'model.onnx'), 'not a real model')
  const record: InstallRecord = {
    version: 1,
    name: 'tiny',
    kind: 'voice',
    origin: 'example.org',
    installedAt: '2026-01-01',
    isConfirmed: true,
    files: await describeFiles(folder),
  }
  await writeRecord(folder, record)
  model = (await readInstalled(folder))!
  return () => rm(root, { recursive: true })
})

it('writeBundle does not replace a file', async () => {
  const path = join(root, 'tiny.tar')
  await writeBundle(model, path)
  await expect(writeBundle(model, path)).rejects.toThrow(
    `${path} already exists. Delete it, or choose another name for --out`,
  )
  expect(await readdir(root)).toContain('tiny.tar')
})

it('writeBundle leaves nothing of a bundle that it cannot complete', async () => {
  await rm(join(model.folder, 'model.onnx'))
  await expect(writeBundle(model, join(root, 'tiny.tar'))).rejects.toThrow('ENOENT')
  expect(await readdir(root)).toEqual(['vits-tiny'])
})
