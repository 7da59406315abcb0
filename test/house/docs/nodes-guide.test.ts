import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { statusCodes } from '@parlando/core/wire'
import { folderOf, nameOf, nodeTypes } from '@parlando/test-support/node-red/node-cases'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const guide = read('docs/nodes.md')
const helpFolder = 'packages/node-red-nodes/src/locales/en-US'

const pageOf = (heading: string) => `docs/nodes/${heading.replaceAll(' ', '-')}.md`

const nodes = nodeTypes.map((type) => ({ node: folderOf(type), heading: nameOf(type) }))

it.each(nodes)(
  'the page of $heading names every property that the help of $node names',
  ({ node, heading }) => {
    const help = read(`${helpFolder}/${node}.html`)
    // Form settings begin with a capital letter there; message properties do not.
    const named = [...help.matchAll(/<dt[^>]*>([a-z][\w, ]*?)\s*<span/g)]
    const properties = named.flatMap(([, names]) => names!.split(/,\s*/))
    expect(properties.length).toBeGreaterThan(4)
    const page = read(pageOf(heading))
    const missing = properties.filter((property) => !page.includes(`msg.${property}`))
    const advice = `Add them to ${pageOf(heading)}, as in msg.payload.`
    expect(missing, advice).toEqual([])
  },
)

it.each(nodes)('the page of $heading begins with its name', ({ heading }) => {
  expect(read(pageOf(heading))).toMatch(new RegExp(`^# ${heading}\n\n`))
})

it.each(nodes)('the table of docs/nodes.md has a row for $heading', ({ heading }) => {
  expect(guide).toContain(`\n| [*${heading}*](${pageOf(heading).slice('docs/'.length)}) |`)
})

const { nodes: allNodes } = JSON.parse(read('packages/node-red-nodes/package.json'))['node-red']
const configNodes = Object.keys(allNodes)
  .filter((type) => !nodeTypes.includes(type))
  .map((type) => ({ name: configName(folderOf(type)), page: folderOf(type) }))

/** `MCP server`, `speech service`. */
function configName(folder: string): string {
  return folder === 'service' ? 'speech service' : folder.replace(/^mcp-/, 'MCP ')
}

it.each(configNodes)(
  'both tables have a row for the configuration node $name',
  ({ name, page }) => {
    expect(guide).toContain(`\n| [${name}](nodes/${page}.md) |`)
    expect(read('packages/node-red-nodes/README.md')).toContain(`\n| *${name}* |`)
  },
)

it('docs/nodes has a page for each node, and no others', () => {
  const pages = [...nodes.map(({ heading }) => heading), ...configNodes.map(({ page }) => page)]
  expect(readdirSync(join(repository, 'docs/nodes')).sort()).toEqual(
    pages.map((page) => basename(pageOf(page))).sort(),
  )
})

it('docs/nodes.md names each node whose button stops it', () => {
  const [, sentence] = /\*\*The button\*\* that (.*?) have/s.exec(guide)!
  const named = [...sentence!.matchAll(/\*([a-z ]+)\*/g)].map(([, name]) => name)
  const withButton = nodes.filter(({ node }) =>
    read(`packages/node-red-nodes/src/nodes/${node}/${node}.form.ts`).includes(
      'button: stopButton',
    ),
  )
  expect(named.sort()).toEqual(withButton.map(({ heading }) => heading).sort())
})

/** How the README names a kind of speaker whose form says more, or in other words. */
const shortKinds: Readonly<Record<string, string>> = {
  mpd: 'MPD',
  dlna: 'DLNA',
  go2rtc: 'go2rtc',
  squeezebox: 'Squeezebox',
  'home-assistant': 'Home Assistant',
  'music-assistant': 'Music Assistant',
  sonos: 'Sonos',
  cast: 'Google Cast',
  'another-node': 'another node',
  group: 'a group',
}

it('the README of the nodes names every kind of speaker', () => {
  const { kind } = JSON.parse(read(`${helpFolder}/speaker.json`)).speaker
  const [row] = /^\| \*speaker\* \|.*$/m.exec(read('packages/node-red-nodes/README.md'))!
  for (const [name, label] of Object.entries(kind)) {
    expect(row, name).toContain(shortKinds[name] ?? label)
  }
})

it.each(nodes)('the README of the nodes has a row for $heading', ({ heading }) => {
  expect(read('packages/node-red-nodes/README.md')).toContain(`\n| *${heading}* |`)
})

it('docs/nodes.md explains every error code', () => {
  const source = read('packages/core/src/errors.ts')
  const codes = [...source.matchAll(/'([A-Z]+(?:_[A-Z]+)+|TIMEOUT)'/g)].map(([, code]) => code!)
  expect(codes).toContain('NOT_REACHABLE')
  const [, errors = ''] = guide.split('\n## When something goes wrong\n')
  const rows = errors
    .split('\n## ')[0]!
    .match(/^\| `.*?\|/gm)!
    .join('\n')
  for (const code of [...codes, ...Object.keys(statusCodes), 'FAILED']) {
    expect(rows).toContain(`\`${code}\``)
  }
})

it('docs/nodes.md and the pages of the nodes refer only to existing examples', () => {
  const files = readdirSync(join(repository, 'examples/flows'))
  const pages = readdirSync(join(repository, 'docs/nodes')).map((name) =>
    read(`docs/nodes/${name}`),
  )
  const numbers = [guide, ...pages].join('\n').match(/(?<=\bexamples? )\d\d\b|\b0\d\b/gi)!
  for (const number of numbers) {
    expect(files.filter((name) => name.startsWith(`${number} - `))).toHaveLength(1)
  }
})
