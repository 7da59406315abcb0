import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedWith, packages } from '@parlando/test-support/published-packages'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(join(repository, 'docs/performance.md'), 'utf8')

function pack(path: string): { name: string; size: number; unpackedSize: number } {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: join(repository, path),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  return JSON.parse(printed)[0]
}

/** The bytes of the files of a package of others, without what is installed inside it. */
function bytesIn(path: string): number {
  return readdirSync(join(repository, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(repository.length + path.length).includes('node_modules'))
    .reduce((sum, file) => sum + statSync(file).size, 0)
}

it.each(packages)('docs/performance.md tells how large %s is, and what it brings along', (path) => {
  const { name, size, unpackedSize } = pack(path)
  const [, ...stated] =
    new RegExp(
      `^\\| \`${name}\` \\| (\\d+) kB \\| (\\d+) kB \\| (\\d+) \\| (\\d+) MB \\|$`,
      'm',
    ).exec(guide) ?? []
  const installed = installedWith(path)
  const ofOthers = installed.filter((one) => !packages.includes(one))
  const all = installed.filter((one) => packages.includes(one)).map((one) => pack(one).unpackedSize)
  const bytes = [...all, ...ofOthers.map(bytesIn)].reduce((sum, one) => sum + one)
  const measured = [size / 1000, unpackedSize / 1000, installed.length - 1, bytes / 1_000_000]
  const told = `measured: ${measured.map(Math.round).join(', ')}`
  expect(stated.length, told).toBe(measured.length)
  for (const [index, value] of measured.entries()) {
    expect(Number(stated[index]), told).toBeGreaterThan(value * 0.9)
    expect(Number(stated[index]), told).toBeLessThan(value * 1.1)
  }
})
