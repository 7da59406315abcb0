import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

it('only the projects that record sound are repeated', () => {
  const listed = execFileSync('git', ['ls-files', '*.test.ts', '*.test-case.ts'], {
    cwd: repository,
  })
  const repeated = `${listed}`
    .trim()
    .split('\n')
    .filter((path) => /[{,]\s*retry: \d/.test(read(path)))
  expect(repeated).toEqual([])
  expect(read('.ci/run')).not.toContain('--retry')
  const config = read('vitest.config.ts')
  expect(config.match(/\bretry:/g)).toEqual(['retry:'])
  // What is before each use; before the first one is its definition.
  const projects = config.split(/\brecordsSound\b(?!\.)/).slice(1, -1)
  const filesOf = (project: string) => project.match(/\b(?:inTier|recordingsIn)\(/g)?.at(-1)
  expect(projects.map(filesOf)).toEqual(projects.map(() => 'recordingsIn('))
})
