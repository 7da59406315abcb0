import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
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
