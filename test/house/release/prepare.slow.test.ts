import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const packages = ['core', 'local-service', 'store', 'webrtc', 'node-red-nodes']
const built = [
  'packages/core/dist/index.js',
  'packages/core/dist/index.d.cts',
  'packages/local-service/dist/index.js',
  'packages/local-service/dist/index.d.cts',
  'packages/store/dist/index.js',
  'packages/store/dist/index.d.cts',
  'packages/webrtc/dist/index.js',
  'packages/webrtc/dist/index.d.ts',
  'packages/node-red-nodes/dist/nodes/speak/speak.js',
  'packages/node-red-nodes/resources/editor.js',
]
const sources: [file: string, rebuilt: string[]][] = [
  ['examples/flows/one.json', ['node-red-nodes']],
  ['packages/core/src/index.ts', ['core', 'node-red-nodes']],
  ['packages/local-service/src/index.ts', ['local-service']],
  ['packages/store/src/index.ts', ['store']],
  ['packages/webrtc/src/index.ts', ['webrtc']],
  ['packages/node-red-nodes/src/index.ts', ['node-red-nodes']],
  ['packages/core/tsup.config.ts', ['core']],
  ['packages/core/package.json', ['core']],
]

/** An installed and built repository. Every build of a package leaves a file `is-built`. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-prepare-'))
  cpSync(join(repository, 'scripts'), join(folder, 'scripts'), { recursive: true })
  write('package.json', JSON.stringify({ private: true, type: 'module' }))
  const scripts = { build: `node -e "fs.writeFileSync('is-built','')"` }
  for (const name of packages) {
    write(`packages/${name}/package.json`, JSON.stringify({ scripts }))
    write(`packages/${name}/tsup.config.ts`, '')
  }
  for (const [file] of sources) if (!existsSync(join(folder, file))) write(file, '')
  const inputs = packages.flatMap((name) => [`${name}/package.json`, `${name}/tsup.config.ts`])
  for (const file of [
    ...sources.map(([file]) => file),
    ...inputs.map((file) => `packages/${file}`),
  ])
    utimesSync(join(folder, file), 1000, 1000)
  for (const file of built) write(file, '')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text: string): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Runs a program that can call the functions of prepare.js. @returns its output. */
function runProgram(program: string): string {
  const imports = `const { build, outdatedPackages, prepare } = await import('./scripts/prepare.js')`
  const run = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `${imports}; ${program}`],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(run).toMatchObject({ status: 0, stderr: '' })
  return run.stdout
}

/** @returns the packages that `npm start` would build. */
function outdatedPackages(): string[] {
  const folders: string[] = JSON.parse(
    runProgram('console.log(JSON.stringify(outdatedPackages()))'),
  )
  return folders.map((path) => path.replace('packages/', ''))
}

/** @returns the packages that a function of prepare.js builds. */
function packagesBuiltBy(call: string): string[] {
  const output = runProgram(`await ${call}`)
  const rebuilt = packages.filter((name) => existsSync(join(folder, 'packages', name, 'is-built')))
  const names = rebuilt.map((name) => `packages/${name}`).join(', ')
  expect(output).toMatch(new RegExp(`^Building ${names} \\.\\.\\. done in \\S+ s\\n$`))
  return rebuilt
}

describe('the preparation of a command', () => {
  it('builds nothing when every build is newer than its sources', () => {
    expect(runProgram('await prepare()')).toBe('')
  })

  it.each(built)('builds a package again after a failed build left no %s', (file) => {
    rmSync(join(folder, file))
    expect(outdatedPackages()).toEqual([file.split('/')[1]])
  })

  it.each(sources)(
    'rebuilds every package that contains %s after a change to it',
    (file, rebuilt) => {
      const later = Date.now() / 1000 + 10
      utimesSync(join(folder, file), later, later)
      expect(outdatedPackages()).toEqual(rebuilt)
    },
  )

  it('builds every package that is out of date', () => {
    for (const file of built.slice(2)) rmSync(join(folder, file))
    expect(packagesBuiltBy('prepare()')).toEqual([
      'local-service',
      'store',
      'webrtc',
      'node-red-nodes',
    ])
  })

  it('builds only the packages that a test asks for', () => {
    for (const file of built) rmSync(join(folder, file))
    expect(packagesBuiltBy("build(['packages/node-red-nodes'])")).toEqual(['node-red-nodes'])
  })
})
