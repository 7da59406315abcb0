import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nameOf } from '@parlando/test-support/node-red/node-cases'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(repository, 'packages/node-red-nodes')
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const nodes: [type: string, file: string][] = Object.entries(manifest['node-red'].nodes)

/** What the HTML of a node passes to the editor: the flow library takes types, icons and colours from these literals. */
function registeredIn(file: string): [type: string, entry: Record<string, string>][] {
  const html = readFileSync(
    join(folder, file.replace(/^dist/, 'src').replace(/js$/, 'html')),
    'utf8',
  )
  const calls = html.matchAll(/\.registerType\('([^']+)', \{(.+)\}\)/g)
  return [...calls].map(([, type, entry]) => {
    const members = entry!.matchAll(/(\w+): ('[^']+'|\d)/g)
    return [type!, Object.fromEntries([...members].map(([, name, value]) => [name!, value!]))]
  })
}
const flows = readdirSync(join(repository, 'examples/flows')).flatMap((file) =>
  JSON.parse(readFileSync(join(repository, 'examples/flows', file), 'utf8')),
) as { type: string }[]

// The criteria of the Node-RED flow library for a good package.
describe('the package of the nodes', () => {
  it('has a scope, the keyword and the supported versions', () => {
    expect(manifest.name).toMatch(/^@[\w-]+\/node-red-?/)
    expect(manifest.keywords).toContain('node-red')
    expect(manifest['node-red'].version).toBe('>=4.1.0')
    expect(manifest.engines.node).toBe('>=20.19')
  })

  // More than the library recommends: four are ours, and MCP has a package for its clients and another one for its servers.
  it('has at most nine dependencies', () => {
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(9)
  })

  it('registers each type once, under the name that package.json gives it', () => {
    const registered = nodes.map(([, file]) => registeredIn(file).map(([type]) => type))
    expect(registered).toEqual(nodes.map(([type]) => [type]))
  })

  it.each(nodes)(
    'shows the library the category of %s, and the colour, icon and ports of a node',
    (type, file) => {
      const [[, entry] = []] = registeredIn(file)
      if (entry?.['category'] === "'config'") return
      expect(entry).toEqual({
        category: "'Parlando'",
        color: "'#C0DEED'",
        icon: `'${type}.svg'`,
        inputs: '1',
        outputs: expect.stringMatching(/^[1-4]$/),
      })
    },
  )

  it.each(nodes.map(([type]) => type))('has an example with %s', (type) => {
    const used = flows.map((node) => node.type)
    expect(
      used,
      `Add a flow with ${type} to examples/flows, and its test to test/flows/examples.`,
    ).toContain(type)
  })

  it.each(nodes.map(([type]) => type))('describes %s in its README', (type) => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    const described = readme.match(/^\| \*[\w ]+\* \|/gm)
    const configurations: Record<string, string> = {
      'parlando-service': 'speech service',
      'parlando-speaker': 'speaker',
      'parlando-mcp-server': 'MCP server',
      'parlando-mcp-access': 'MCP access',
    }
    const row = `| *${configurations[type] ?? nameOf(type)}* |`
    expect(described, 'Add a row to the table in packages/node-red-nodes/README.md.').toContain(row)
  })
})
