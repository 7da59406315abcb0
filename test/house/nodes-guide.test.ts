import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { statusCodes } from '@parlando/core/wire'
import { folderOf, nodeTypes } from '@parlando/test-support/node-red/node-cases'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const guide = read('docs/nodes.md')
const nodesFolder = 'packages/node-red-nodes/src/nodes'

/** The text below a heading, up to the next heading of the same level. */
function sectionOf(heading: string): string {
  const [, section = ''] = guide.split(`\n## ${heading}\n`)
  return section.split('\n## ')[0]!
}

const nodes = nodeTypes.map(folderOf)
const headingOf = (node: string) => node.replace('-', ' ')

it.each(nodes)('docs/nodes.md names every property that the help of %s names', (node) => {
  const help = read(`${nodesFolder}/${node}/locales/en-US/${node}.html`)
  // Form settings begin with a capital letter there; message properties do not.
  const named = [...help.matchAll(/<dt[^>]*>([a-z][\w, ]*?)\s*<span/g)]
  const properties = named.flatMap(([, names]) => names!.split(/,\s*/))
  expect(properties.length).toBeGreaterThan(4)
  const section = sectionOf(headingOf(node))
  const missing = properties.filter((property) => !section.includes(`msg.${property}`))
  const advice = `Add them to the section "${headingOf(node)}" of docs/nodes.md, as in msg.payload.`
  expect(missing, advice).toEqual([])
})

it.each(nodes)('docs/nodes.md has a section for %s', (node) => {
  const advice = `Add a section to docs/nodes.md, with the heading "## ${headingOf(node)}".`
  expect(sectionOf(headingOf(node)), advice).not.toBe('')
})

it('docs/nodes.md explains every error code', () => {
  const source = read('packages/core/src/errors.ts')
  const codes = [...source.matchAll(/'([A-Z]+(?:_[A-Z]+)+|TIMEOUT)'/g)].map(([, code]) => code!)
  expect(codes).toContain('NOT_REACHABLE')
  const rows = sectionOf('When something goes wrong')
    .match(/^\| `.*?\|/gm)!
    .join('\n')
  for (const code of [...codes, ...Object.keys(statusCodes), 'FAILED']) {
    expect(rows).toContain(`\`${code}\``)
  }
})

it('docs/nodes.md refers only to existing examples', () => {
  const files = readdirSync(join(repository, 'examples/flows'))
  const numbers = guide.match(/\b0\d\b/g)!
  for (const number of numbers) {
    expect(files.filter((name) => name.startsWith(`${number} - `))).toHaveLength(1)
  }
})
