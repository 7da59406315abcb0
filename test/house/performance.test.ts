import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

it('docs/performance.md describes exactly the existing benchmarks, and has figures of each', () => {
  const guide = readFileSync(join(repository, 'docs/performance.md'), 'utf8')
  const files = readdirSync(join(repository, 'bench')).filter((name) => name.endsWith('.js'))
  const existing = files.map((name) => name.slice(0, -'.js'.length)).sort()
  const [overview = '', figures = ''] = guide.split('## Figures')
  const namesIn = (text: string, expression: RegExp) =>
    [...text.matchAll(expression)].map(([, name]) => name!).sort()
  expect(namesIn(overview, /^\| `(\w+)` \|/gm)).toEqual(existing)
  expect(namesIn(figures, /^### `(\w+)`$/gm)).toEqual(existing)
})
