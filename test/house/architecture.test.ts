import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(join(repository, 'docs/architecture.md'), 'utf8')

/** The root folders of the paths in the guide. */
const roots = ['', 'packages/core/src', 'packages/local-service/src', 'packages/node-red-nodes/src']

it('docs/architecture.md names only existing files and folders', () => {
  const named = [...guide.matchAll(/`([\w./-]+(?:\.(?:ts|js|json)|\/))`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(60)
  const missing = named.filter(
    (path) => !roots.some((root) => existsSync(join(repository, root, path))),
  )
  expect(missing).toEqual([])
})
