import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packPackages } from '@parlando/test-support/published/packed-packages'
import { installedWith, packages } from '@parlando/test-support/published/published-packages'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(join(repository, 'docs/performance.md'), 'utf8')

/** The bytes of the files of an installed package, without the packages inside it. */
function bytesIn(path: string): number {
  return readdirSync(join(repository, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(repository.length + path.length).includes('node_modules'))
    .reduce((sum, file) => sum + statSync(file).size, 0)
}

/** npm installs only those packages for platforms that fit this machine. */
function isHere(path: string): boolean {
  return existsSync(join(repository, path))
}

const packed = await packPackages()

it.each(packages)('docs/performance.md states the size of %s and of its dependencies', (path) => {
  const { name, size, unpackedSize } = packed[path]!
  const [, ...stated] =
    new RegExp(
      `^\\| \`${name}\` \\| (\\d+) kB \\| (\\d+) kB \\| (\\d+) \\| (\\d+) MB \\|$`,
      'm',
    ).exec(guide) ?? []
  const installed = installedWith(path)
  const dependencies = installed.filter((one) => !packages.includes(one) && isHere(one))
  const own = installed
    .filter((one) => packages.includes(one))
    .map((one) => packed[one]!.unpackedSize)
  const bytes = [...own, ...dependencies.map(bytesIn)].reduce((sum, one) => sum + one)
  const others = installed.filter(isHere).length - 1
  const measured = [size / 1000, unpackedSize / 1000, others, bytes / 1_000_000]
  const figures = `measured: ${measured.map(Math.round).join(', ')}`
  expect(stated.length, figures).toBe(measured.length)
  for (const [index, value] of measured.entries()) {
    expect(Number(stated[index]), figures).toBeGreaterThanOrEqual(value * 0.9)
    expect(Number(stated[index]), figures).toBeLessThanOrEqual(value * 1.1)
  }
  // With every voice, the network for the end of a turn, and every decoder, on a card of a small machine.
  expect(bytes).toBeLessThan(122_000_000)
})

it('the editor script contains no schemas, which would make it twenty times as large', () => {
  const script = join(repository, 'packages/node-red-nodes/resources/editor.js')
  // The forms of all nodes, and a parser of IP addresses and the player of the editor, which need 12 kB.
  expect(statSync(script).size).toBeLessThan(110_000)
})
