import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packPackages } from '@parlando/test-support/published/packed-packages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const shell = process.platform === 'win32'

/**
 * Answers the request for the catalogue of all nodes, which compares names. The checks ask the registry for the rest: the
 * versions of Node-RED and of our dependencies.
 */
const withoutCatalogue = `
  const axios = require('axios')
  const { get } = axios
  axios.get = (address, ...options) =>
    address.includes('catalogue.nodered.org')
      ? Promise.resolve({ data: { modules: [] } })
      : get(address, ...options)`

interface Check {
  test: boolean
  total?: number
  versions?: string[]
  nodes?: string[]
  packages?: string[]
}

describe('the checks of the flow library', () => {
  let folder: string
  let card: Record<string, Check>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parlando-library-'))
    const { archive } = (await packPackages())['packages/node-red-nodes']!
    await run('tar', ['-xzf', archive, '-C', folder])
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const checks = ['install', '--no-audit', '--ignore-scripts', 'node-red-dev@0.1.6']
    await run('npm', checks, { cwd: folder, shell })
    writeFileSync(join(folder, 'without-catalogue.cjs'), withoutCatalogue)
    const program = join(folder, 'node_modules/node-red-dev/bin/run')
    const path = join(folder, 'package')
    const report = join(folder, 'card.json')
    await run(
      process.execPath,
      ['--require', './without-catalogue.cjs', program, 'validate', '-p', path, '-o', report],
      { cwd: folder },
    )
    card = JSON.parse(readFileSync(report, 'utf8'))
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['P01', 'a licence'],
    ['P03', 'the address of the repository'],
    ['P04', 'a name in a scope'],
    ['P05', 'the keyword of Node-RED'],
    ['P06', 'the versions of Node-RED'],
    ['P07', 'the versions of Node'],
    ['N02', 'an example for each node'],
    ['D02', 'no dependency that Node-RED cannot bear'],
  ])('find nothing wrong with %s: %s', (name) => {
    expect(card[name]).toMatchObject({ test: true })
  })

  // Six would be enough for them. Four of ours are packages of this repository; parts of another one in our bundles would not
  // be mended by an update of that package.
  it('find more dependencies than usual, and no further ones', () => {
    expect(card['D01']).toEqual({ test: false, total: 9 })
  })

  it('find the newest version of each dependency of others', () => {
    const { packages = [] } = card['D03']!
    // The registry has none of a version that is not released.
    expect(packages.filter((name) => !name.startsWith('@parlando/'))).toEqual([])
  })
})
