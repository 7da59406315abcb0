import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

interface LockedPackage {
  dev?: true
  hasInstallScript?: true
}

it('no runtime dependency runs an install script', () => {
  const path = fileURLToPath(new URL('../../../package-lock.json', import.meta.url))
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const forUsers = Object.entries(packages).filter(([name, { dev }]) => name !== '' && !dev)
  expect(forUsers.map(([name]) => name)).toContain('node_modules/undici')
  const withScript = forUsers.filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(withScript.map(([name]) => name)).toEqual([])
})

it('docs/security.md names every route that the forms call', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const editor = ['admin-routes', 'form-requests', 'sound-routes'].map(
    (name) => `nodes/service/editor/${name}`,
  )
  const admin = [...editor, 'studio-server/voice-requests']
    .map((path) => read(`packages/node-red-nodes/src/${path}.ts`))
    .join('\n')
  // Calls that add a route, and the tables of requests by their route.
  const added = admin.matchAll(/^ +(?:route|formRoute)\('([\w/-]+)'/gm)
  const listed = admin.matchAll(/^ {2}(?:async )?'?([\w/-]+)'?(?:: \[|: ?\(client|\(client)/gm)
  const routes = [...added, ...listed].map(([, route]) => route!)
  expect(routes).toEqual(
    expect.arrayContaining(['stop', 'listen', 'test', 'studio/recent', 'local-models/install']),
  )
  for (const route of routes) expect(read('docs/security.md')).toContain(`\`/parlando/${route}\``)
})
