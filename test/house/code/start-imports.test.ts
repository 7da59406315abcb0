import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const nodes = join(repository, 'packages/node-red-nodes')
const core = join(repository, 'packages/core')
const localService = join(repository, 'packages/local-service')
const readJson = createRequire(import.meta.url)

/** The modules that a file imports when it is loaded: neither types nor `import()`. */
function staticImports(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const names = source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      return statement.isTypeOnly || !statement.moduleSpecifier ? [] : [statement.moduleSpecifier]
    }
    if (!ts.isImportDeclaration(statement)) return []
    const { importClause: clause, moduleSpecifier } = statement
    const named = clause?.namedBindings
    const isOnlyTypes =
      clause?.isTypeOnly ||
      (named && ts.isNamedImports(named) && named.elements.every((element) => element.isTypeOnly))
    return isOnlyTypes ? [] : [moduleSpecifier]
  })
  return names.map((name) => (name as ts.StringLiteral).text)
}

/** Follows the imports of files inside the repository. @returns each module from outside with the first file that imports it. */
function findModules(files: readonly string[]): Map<string, string> {
  const { exports } = readJson(join(core, 'package.json'))
  const queue = [...files]
  const seen = new Set<string>()
  const modules = new Map<string, string>()
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const name of staticImports(file)) {
      const coreEntry = name.startsWith('@parlando/core') && name.replace('@parlando/core', '.')
      if (name.startsWith('.')) queue.push(join(dirname(file), name))
      else if (coreEntry) queue.push(join(core, exports[coreEntry]['@parlando/source']))
      else if (!modules.has(name)) modules.set(name, relative(repository, file))
    }
  }
  return modules
}

it('Node-RED loads no library for the nodes before they speak, except a small one for addresses', () => {
  const manifest = readJson(join(nodes, 'package.json'))
  const built = Object.values<string>(manifest['node-red'].nodes)
  const sources = built.map((file) =>
    join(nodes, file.replace(/^dist/, 'src').replace(/js$/, 'ts')),
  )
  expect(sources.length).toBeGreaterThan(5)
  const libraries = [...findModules(sources)].filter(([name]) => !name.startsWith('node:'))
  expect(libraries).toEqual([['ipaddr.js', 'packages/core/src/host.ts']])
})

it('the forms, the voice studio and the pages import no module of Node.js, which no browser can load', () => {
  const views = [
    'pages/speaker/speaker-view',
    'pages/microphone/microphone-view',
    'pages/list/list-view',
  ]
  const entries = ['nodes/forms', 'editor/studio/studio', 'pages/microphone/worklet', ...views]
  const modules = [...findModules(entries.map((entry) => join(nodes, `src/${entry}.ts`)))]
  expect(modules.length).toBeGreaterThan(0)
  expect(modules.filter(([name]) => name.startsWith('node:'))).toEqual([])
})

it('no program or worker of the local service loads the schemas, which take 0.5 s and 44 MB', () => {
  const { exports } = readJson(join(localService, 'package.json'))
  const programs = Object.keys(exports)
    .filter((name) => /-(program|worker)$/.test(name))
    .map((name) => join(localService, exports[name]['@parlando/source']))
  expect(programs.length).toBeGreaterThan(5)
  const loading = programs.filter((program) => findModules([program]).has('zod'))
  expect(loading.map((program) => relative(repository, program))).toEqual([])
})

it('the client loads its libraries, which this check finds', () => {
  const libraries = findModules([join(core, 'src/index.ts')])
  expect([...libraries.keys()]).toEqual(expect.arrayContaining(['undici', 'zod']))
})
