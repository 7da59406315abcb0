import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(join(repository, 'docs/architecture.md'), 'utf8')

/** Where the guide's paths begin. */
const roots = ['', 'packages/core/src', 'packages/local-service/src', 'packages/node-red-nodes/src']

it('docs/architecture.md names files and folders that there are', () => {
  const named = [...guide.matchAll(/`([\w./-]+(?:\.(?:ts|js|json)|\/))`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(60)
  const missing = named.filter(
    (path) => !roots.some((root) => existsSync(join(repository, root, path))),
  )
  expect(missing).toEqual([])
})
