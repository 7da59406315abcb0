import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const built = [
  'packages/core/dist/index.js',
  'packages/core/dist/index.d.cts',
  'packages/local-service/dist/index.js',
  'packages/local-service/dist/index.d.cts',
  'packages/node-red-nodes/dist/nodes/speak/speak.js',
]
const sources = [
  'examples/flows/one.json',
  'packages/core/src/index.ts',
  'packages/local-service/src/index.ts',
  'packages/node-red-nodes/src/index.ts',
]

/** A repository that is installed and built, and whose build says so. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-prepare-'))
  cpSync(join(repository, 'scripts'), join(folder, 'scripts'), { recursive: true })
  const scripts = { build: `node -e "fs.writeFileSync('is-built','')"` }
  write('package.json', JSON.stringify({ private: true, type: 'module', scripts }))
  for (const file of sources) write(file, '')
  for (const file of sources) utimesSync(join(folder, file), 1000, 1000)
  for (const file of built) write(file, '')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text: string): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** @returns whether preparing builds. */
function builds(): boolean {
  const program = "const { prepare } = await import('./scripts/prepare.js'); await prepare()"
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stderr: '' })
  return run.stdout.includes('Building')
}

it('builds nothing when everything is built', () => {
  expect(builds()).toBe(false)
})

it.each(built)('builds again when a build has failed before it wrote %s', (file) => {
  rmSync(join(folder, file))
  expect(builds()).toBe(true)
  expect(readFileSync(join(folder, 'is-built'), 'utf8')).toBe('')
})

it.each(sources)('builds again after a change of %s', (file) => {
  const later = Date.now() / 1000 + 10
  utimesSync(join(folder, file), later, later)
  expect(builds()).toBe(true)
})
