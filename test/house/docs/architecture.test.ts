import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const guide = readFileSync(join(repository, 'docs/architecture.md'), 'utf8')

/** The root folders of the paths in the guide. */
const roots = [
  '',
  ...['core', 'local-service', 'node-red-nodes', 'store'].map((name) => `packages/${name}/src`),
]

it('docs/architecture.md names only existing files and folders', () => {
  const named = [...guide.matchAll(/`([\w./-]+(?:\.(?:ts|js|json)|\/))`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(60)
  const missing = named.filter(
    (path) => !roots.some((root) => existsSync(join(repository, root, path))),
  )
  expect(missing).toEqual([])
})

/** The folders of a package's `src` that contain code, by their paths in the repository. */
function codeFolders(packageName: string): string[] {
  const source = `packages/${packageName}/src`
  const files = readdirSync(join(repository, source), { recursive: true, encoding: 'utf8' })
  const folders = files
    .filter((file) => file.endsWith('.ts') && file.includes(sep))
    .map((file) => dirname(file).split(sep).join('/'))
  return [...new Set(folders)].map((folder) => `${source}/${folder}`)
}

const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
const isNamed = (folder: string) => rows.some((row) => row.includes(`\`${folder}/\``))
/** A row such as "one folder per node" names the folders inside. */
const isOneOfMany = (folder: string) =>
  rows.some((row) => row.includes(`\`${dirname(folder)}/\``) && row.includes('one folder per '))

it.each(['core', 'local-service', 'node-red-nodes', 'store', 'webrtc', 'test-support'])(
  'docs/architecture.md names every folder of %s',
  (packageName) => {
    const missing = codeFolders(packageName).filter(
      (folder) => !isNamed(folder) && !isOneOfMany(folder),
    )
    expect(missing).toEqual([])
  },
)

it('docs/architecture.md names packages with folders', () => {
  expect(codeFolders('core').length).toBeGreaterThan(5)
})

it('docs/architecture.md tells each path in short, with at most ten files', () => {
  const paths = guide.split('\n## ').filter((section) => section.startsWith('The path of '))
  expect(paths.length).toBeGreaterThan(5)
  for (const path of paths) {
    const [title, short = ''] = path.split('\n\n')
    const files = new Set(short.match(/`[\w./-]+\.ts`/g))
    expect(short, title).toMatch(/^In short: /)
    expect(files.size, title).toBeGreaterThan(3)
    expect(files.size, title).toBeLessThanOrEqual(10)
  }
})

interface SpineStep {
  /** In its package. */
  path: string
  name: string
  /** The file that imports it, if the step is a call. */
  caller: string | undefined
}

/** The steps of the spines of the guide, by the titles of their paths. */
const spines: [string, SpineStep[]][] = guide
  .split('\n## ')
  .filter((section) => section.includes('**The spine.**'))
  .map((section) => {
    const rows = [...section.matchAll(/^\| \d+ \| ([\w-]+) \| `([^`]+)` → `(\w+)` \| (.*) \|$/gm)]
    const paths = rows.map(([, name, path]) => join(repository, `packages/${name}/src`, path!))
    const steps = rows.map(([, , , name, reached], index) => ({
      path: paths[index]!,
      name: name!,
      caller: paths[Number(/^called by step (\d+)$/.exec(reached!)?.[1]) - 1],
    }))
    return [section.split('\n')[0]!, steps]
  })

it('docs/architecture.md has the spines of these paths', () => {
  expect(spines.map(([title]) => title)).toEqual([
    'The path of a text',
    'The path of a phrase through sherpa-onnx',
    'The path of speech to transcribe',
    'The path of a conversation',
    'The path of an installation',
    'The path of an announcement',
  ])
})

it.each(spines)(
  '%s has a spine of at most 20 steps, in which each call is an import',
  (_title, steps) => {
    expect(steps.length).toBeGreaterThan(10)
    expect(steps.length).toBeLessThanOrEqual(20)
    expect(steps.filter(({ caller }) => caller).length).toBeGreaterThan(5)
    for (const { path, name, caller } of steps) {
      expect(readFileSync(path, 'utf8'), path).toMatch(new RegExp(`\\b${name}\\b`))
      if (caller) expect(importsOf(caller), `${caller} imports`).toContain(path)
    }
  },
)

/** The files that a file imports from its own package. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'))
  return importedFiles.map(({ fileName }) => join(dirname(file), fileName))
}
