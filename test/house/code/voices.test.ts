import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../../../packages/voices', import.meta.url))
const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const data = (files as string[])
  .filter((name) => name !== 'NOTICE')
  .flatMap((name) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`))
  .map((path) => ({ path, bytes: readFileSync(join(folder, path)) }))

it('each file of the voices is the one whose SHA-256 is in their checksums', () => {
  const stated = JSON.parse(readFileSync(join(folder, 'checksums.json'), 'utf8'))
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(data.length).toBeGreaterThan(7)
  expect(Object.fromEntries(data.map(({ path, bytes }) => [path, hashOf(bytes)]))).toEqual(stated)
})

it('the data of the voices is small enough for a repository', () => {
  expect(data.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(27_000_000)
})
