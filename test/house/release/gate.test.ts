import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import config from '../../../vitest.config.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

it('only the projects that record sound are repeated', () => {
  const projects = config.test?.projects as TestProjectInlineConfiguration[]
  const repeated = projects.flatMap(({ test }) => (test?.retry ? test : []))
  expect(repeated.length).toBeGreaterThan(0)
  for (const { name, include = [] } of repeated) {
    expect(include.length, `${name}`).toBeGreaterThan(0)
    expect(include.filter((files) => !files.includes('/*.recording'))).toEqual([])
  }
})

it('no test repeats itself, nor does the gate repeat all of them', () => {
  const tests = execFileSync('git', ['ls-files', '*.test.ts', '*.test-case.ts'], {
    cwd: repository,
    encoding: 'utf8',
  })
  const repeated = tests
    .trim()
    .split('\n')
    .filter((path) => /[{,]\s*retry: \d/.test(read(path)))
  expect(repeated).toEqual([])
  expect(read('.ci/run')).not.toContain('--retry')
})

it('the gate finds the tests that use other programs: each helper that it looks for exists', () => {
  const [, helpers] = / helpers=\((.+?)\)/.exec(read('.ci/run'))!
  const missing = helpers!
    .split(' ')
    .filter((path) => !existsSync(join(repository, `packages/test-support/src/${path}.ts`)))
  expect(missing).toEqual([])
})

describe.skipIf(process.platform === 'win32')('the gate, with an npm that only reports', () => {
  /** Runs `.ci/run` in a folder without anything else. @param npm What npm does, in Bash. @returns the last line. */
  function runGate(npm: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'parlando-gate-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const name of ['.ci', 'bin', 'test/optional'])
      mkdirSync(join(folder, name), { recursive: true })
    for (const name of ['run', 'report.js'])
      cpSync(join(repository, '.ci', name), join(folder, '.ci', name))
    for (const [name, script] of [
      ['.ci/install-packages', ''],
      ['bin/npm', npm],
    ]) {
      writeFileSync(join(folder, name!), `#!/usr/bin/env bash\n${script}\n`)
      chmodSync(join(folder, name!), 0o755)
    }
    const path = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']]
    const { stdout, status } = spawnSync('bash', [join(folder, '.ci/run')], {
      encoding: 'utf8',
      env: { ...process.env, PATH: path.join(delimiter) },
    })
    expect(status).toBe(1)
    return stdout.trim().split('\n').at(-1)!
  }

  const totals = (numPassedTests: number, numFailedTests: number) =>
    JSON.stringify({ numPassedTests, numFailedTests, testResults: [] })
  /** As Vitest does: writes the totals to the file of the last argument, and fails if a test does. */
  const report = (command: string, passed: number, failed: number) => `
    if [[ "$*" = "${command} -- "* ]]; then
      file=\${!#}
      echo '${totals(passed, failed)}' >"\${file#--outputFile.json=}"
      exit ${Math.min(failed, 1)}
    fi`

  it('counts the tests that failed, and stages that ended without a report', () => {
    const [slow, change] = [report('run test:slow', 68, 2), report('test', 900, 0)]
    expect(runGate(`${slow}\n${change}`)).toBe('968 passed, 2 failed')
    expect(runGate(report('run test:slow', 70, 0))).toBe('70 passed, 1 failed')
  })

  it('counts a check that failed', () => {
    expect(runGate('[ "$2" != check ]')).toBe('0 passed, 1 failed')
  })

  it('counts an install that failed', () => {
    expect(runGate('false')).toBe('0 passed, 1 failed')
  })
})
