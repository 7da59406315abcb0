import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../../../packages', import.meta.url))

/**
 * The folders and root files of each package's `src`, from bottom to top. Code may import from its own folder and from
 * lower rows, types included.
 */
const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  core: [
    ['host', 'wire'],
    ['address', 'audio', 'errors', 'text'],
    ['parse-input', 'protocol-errors'],
    ['streams'],
    ['http'],
    ['endpoints'],
    ['client'],
    ['index'],
  ],
  'local-service': [
    ['concurrency', 'config', 'errors'],
    ['machine', 'neural-networks', 'part-registry'],
    ['processes'],
    ['models'],
    ['audio', 'server', 'text'],
    ['requests'],
    ['remote'],
    ['listening/turns'],
    ['engines', 'log', 'recognisers'],
    ['wake-words'],
    ['model-management', 'voices'],
    ['metrics', 'speaking'],
    ['chat', 'jobs', 'listening'],
    ['conversation'],
    ['api', 'options'],
    ['service-parts', 'warm-up'],
    ['service'],
    ['process', 'run-command'],
    ['cli', 'index'],
  ],
  'node-red-nodes': [
    ['grammars', 'programs'],
    ['runtime'],
    ['saved'],
    ['budgets', 'captions', 'page-server', 'sounds', 'studio-server'],
    ['kept-sound', 'recognition'],
    ['microphones'],
    ['speakers'],
    ['playback', 'reminders'],
    ['announcements'],
    ['conversations', 'mcp', 'pages'],
    ['editor'],
    ['nodes'],
  ],
}

/** The imports between the files of a package, by paths relative to its `src`. */
type ImportGraph = ReadonlyMap<string, readonly string[]>

function readImports(packageName: string): ImportGraph {
  const source = join(packages, packageName, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !/\.test(-cases?)?\.ts$/.test(file))
  const imports = files.map((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(source, file), 'utf8'))
    const imported = importedFiles
      .filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => posix.join(posix.dirname(file), fileName))
      .filter((path) => files.includes(path))
    return [file, [...new Set(imported)]] as const
  })
  return new Map(imports)
}

function layerOf(path: string, order: (typeof layers)[string]): number {
  const [folder = '', inner] = path.replace(/\.ts$/, '').split('/')
  const rowOf = (name: string) => order.findIndex((row) => row.includes(name))
  const own = rowOf(`${folder}/${inner}`)
  return own < 0 ? rowOf(folder) : own
}

/** Finds imports from the same or a higher layer, and files outside the layers. */
function findViolations(graph: ImportGraph, order: (typeof layers)[string]): string[] {
  const unplaced = [...graph.keys()].filter((file) => layerOf(file, order) < 0)
  const imports = [...graph].flatMap(([file, imported]) =>
    imported.map((to) => [file, to] as const),
  )
  const isInside = (file: string, to: string) =>
    file.includes('/') && file.split('/')[0] === to.split('/')[0]
  const upward = imports.filter(
    ([file, to]) => !isInside(file, to) && layerOf(to, order) >= layerOf(file, order),
  )
  return [
    ...unplaced.map((file) => `${file} is in no layer`),
    ...upward.map(([file, to]) => `${file} imports ${to}`),
  ]
}

/** Each cycle as a path that ends where it begins; one for each import that closes a cycle. */
function findCycles(graph: ImportGraph): string[] {
  const finished = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push([...path.slice(start), file].join(' → '))
    if (start >= 0 || finished.has(file)) return
    for (const imported of graph.get(file) ?? []) visit(imported, [...path, file])
    finished.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}

/** Finds imports between the folders of two nodes. What several nodes need is in a folder of its own. */
function findImportsBetweenNodes(graph: ImportGraph): string[] {
  const nodeOf = (path: string) => /^nodes\/([^/]+)\//.exec(path)?.[1]
  const isOther = (node: string, to: string) => nodeOf(to) !== undefined && nodeOf(to) !== node
  return [...graph].flatMap(([file, imported]) => {
    const node = nodeOf(file)
    if (node === undefined) return []
    return imported.filter((to) => isOther(node, to)).map((to) => `${file} imports ${to}`)
  })
}

describe.each(Object.entries(layers))('the imports of packages/%s', (packageName, order) => {
  const graph = readImports(packageName)
  const inPackage = (finding: string) => `${packageName}/src/${finding}`

  it('point down the layers', () => {
    expect(graph.size).toBeGreaterThan(10)
    const violations = findViolations(graph, order).map(inPackage)
    expect(violations).toEqual([])
  })

  it('form no cycle', () => {
    const cycles = findCycles(graph).map(inPackage)
    expect(cycles).toEqual([])
  })
})

it('no node imports another one, configuration nodes neither', () => {
  expect(findImportsBetweenNodes(readImports('node-red-nodes'))).toEqual([])
})

describe('the import check', () => {
  const order = [['errors'], ['http'], ['api']]

  it('accepts imports from lower layers and from the same folder', () => {
    const graph = new Map([
      ['errors.ts', []],
      ['http/server.ts', ['errors.ts', 'http/log.ts']],
      ['http/log.ts', []],
      ['api/app.ts', ['http/server.ts', 'errors.ts']],
    ])
    expect(findViolations(graph, order)).toEqual([])
    expect(findCycles(graph)).toEqual([])
  })

  it('reports an import from a higher layer and a file outside the layers', () => {
    const graph = new Map([
      ['http/log.ts', ['api/app.ts']],
      ['api/app.ts', []],
      ['extra/file.ts', []],
    ])
    expect(findViolations(graph, order)).toEqual([
      'extra/file.ts is in no layer',
      'http/log.ts imports api/app.ts',
    ])
  })

  it('reports an import of another node, and accepts the list of all forms', () => {
    const graph = new Map([
      ['nodes/forms.ts', ['nodes/ask/ask.form.ts', 'nodes/play/play.form.ts']],
      ['nodes/ask/ask.ts', ['nodes/ask/answers.ts', 'nodes/play/play.ts', 'runtime/work.ts']],
    ])
    expect(findImportsBetweenNodes(graph)).toEqual(['nodes/ask/ask.ts imports nodes/play/play.ts'])
  })

  it('reports a cycle, even between two files of one folder', () => {
    const graph = new Map([
      ['api/app.ts', ['http/a.ts']],
      ['http/a.ts', ['http/b.ts']],
      ['http/b.ts', ['http/a.ts']],
    ])
    expect(findCycles(graph)).toEqual(['http/a.ts → http/b.ts → http/a.ts'])
  })
})
