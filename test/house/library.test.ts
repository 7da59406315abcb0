import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(repository, 'packages/node-red-nodes')
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const nodes: [type: string, file: string][] = Object.entries(manifest['node-red'].nodes)

const forms = nodes.map(([, file]) =>
  readFileSync(join(folder, file.replace(/\.js$/, '.html')), 'utf8'),
)
const flows = readdirSync(join(repository, 'examples/flows')).flatMap((file) =>
  JSON.parse(readFileSync(join(repository, 'examples/flows', file), 'utf8')),
) as { type: string }[]

// What the library of Node-RED's community asks of a package before it calls it good.
describe('the package of the nodes', () => {
  it('can be found: a scope, the keyword, and the versions it is for', () => {
    expect(manifest.name).toMatch(/^@[\w-]+\/node-red-?/)
    expect(manifest.keywords).toContain('node-red')
    expect(manifest['node-red'].version).toBe('>=4.1.0')
    expect(manifest.engines.node).toBe('>=20.19')
  })

  it('brings along six packages at most', () => {
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(6)
  })

  it('registers each type once, under the name that package.json gives it', () => {
    const registered = forms.flatMap((form) =>
      [...form.matchAll(/RED\.nodes\.registerType\('([^']+)'/g)].map(([, type]) => type),
    )
    expect(registered.sort()).toEqual(nodes.map(([type]) => type).sort())
  })

  it.each(nodes.map(([type]) => type))('has an example with %s', (type) => {
    expect(flows.map((node) => node.type)).toContain(type)
  })

  it('tells in its README what each node is for', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    for (const [type] of nodes) {
      expect(readme).toContain(`| *${type.replace('parlando-', '').replaceAll('-', ' ')}* |`)
    }
  })
})
