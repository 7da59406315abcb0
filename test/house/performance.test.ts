import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

it('docs/performance.md describes exactly the existing benchmarks', () => {
  const guide = readFileSync(join(repository, 'docs/performance.md'), 'utf8')
  const files = readdirSync(join(repository, 'bench')).filter((name) => name.endsWith('.js'))
  const [overview = '', rest = ''] = guide.split('## How it is measured')
  const described = [...overview.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!)
  expect(described.sort()).toEqual(files.map((name) => name.slice(0, -'.js'.length)).sort())
  const measuredBy = [...rest.matchAll(/\| `(\w+)` \|$/gm)].map(([, name]) => name!)
  expect(measuredBy.length).toBeGreaterThan(5)
  for (const name of measuredBy) expect(described).toContain(name)
})
