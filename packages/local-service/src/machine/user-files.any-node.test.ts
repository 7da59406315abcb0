import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findPackage } from './user-files.ts'

const name = '@someone/engine'
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-engines-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

/** Installs a package in a folder. @returns the path of its main file. */
function install(at: string): string {
  const path = join(at, 'node_modules', name)
  mkdirSync(path, { recursive: true })
  writeFileSync(
    join(path, 'package.json'),
    JSON.stringify({ name, version: '1.2.3', main: 'main.js' }),
  )
  writeFileSync(join(path, 'main.js'), '')
  return join(path, 'main.js')
}

describe('findPackage', () => {
  it('finds a package in the given folders, the first one first', () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    const inSecond = install(second)
    expect(findPackage(name, [undefined, first, second])).toEqual({
      path: inSecond,
      version: '1.2.3',
    })
    expect(findPackage(name, [relative(process.cwd(), second)])).toEqual({
      path: inSecond,
      version: '1.2.3',
    })
    const inFirst = install(first)
    expect(findPackage(name, [first, second])).toEqual({ path: inFirst, version: '1.2.3' })
  })

  it('does not find a package in the folders above', () => {
    install(folder)
    expect(findPackage(name, [join(folder, 'data')])).toBeUndefined()
  })

  it('does not find a package of the working folder', () => {
    // The tests run in the folder of the repository, which contains its dependencies.
    expect(findPackage('vitest', [])).toBeUndefined()
  })
})
