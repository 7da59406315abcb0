import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const read = (page: string) => readFileSync(join(repository, 'docs', page), 'utf8')
const map = read('architecture.md')
const pathPages = readdirSync(join(repository, 'docs/paths'))
  .sort()
  .map((name) => ({ page: `paths/${name}`, text: read(`paths/${name}`) }))
const pages = [{ page: 'architecture.md', text: map }, ...pathPages]

/** The root folders of the paths on the pages. */
const roots = [
  '',
  ...['core', 'local-service', 'node-red-nodes', 'store'].map((name) => `packages/${name}/src`),
]

it.each(pages)('docs/$page names only existing files and folders', ({ text }) => {
  const named = [...text.matchAll(/`([\w./-]+(?:\.(?:ts|js|json)|\/))`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(60)
  const missing = named.filter(
    (path) => !roots.some((root) => existsSync(join(repository, root, path))),
  )
  expect(missing).toEqual([])
})

it('docs/architecture.md is a map of at most 400 lines', () => {
  expect(map.split('\n').length).toBeLessThanOrEqual(400)
})

it('docs/architecture.md begins with six to ten files to read', () => {
  const [, start = ''] = map.split('\n## Start here\n')
  const files = [...start.split('\n## ')[0]!.matchAll(/^\| (\d+)\. `packages\/.*\.ts` \|/gm)]
  expect(files.length).toBeGreaterThanOrEqual(6)
  expect(files.length).toBeLessThanOrEqual(10)
  expect(files.map(([, number]) => Number(number))).toEqual(files.map((_file, index) => index + 1))
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

const rows = map.split('\n').filter((line) => line.startsWith('| `'))
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

/** The sections about a path, each with its title in the first line. */
const paths = pathPages.flatMap(({ page, text }) =>
  text
    .split('\n## ')
    .filter((section) => section.startsWith('The path of '))
    .map((section) => ({ page, title: section.split('\n')[0]!, section })),
)

it('docs/architecture.md names each path', () => {
  expect(paths.length).toBeGreaterThan(12)
  for (const { page, title } of paths) {
    expect(map).toContain(`](${page}#${title.toLowerCase().replaceAll(' ', '-')})`)
  }
})

it.each(paths)('$title is told in short, with at most ten files', ({ section }) => {
  const [, short = ''] = section.split('\n\n')
  const files = new Set(short.match(/`[\w./-]+\.ts`/g))
  expect(short).toMatch(/^In short: /)
  expect(files.size).toBeGreaterThan(3)
  expect(files.size).toBeLessThanOrEqual(10)
})

interface SpineStep {
  /** In its package. */
  path: string
  name: string
  /** The file that imports it, if the step is a call. */
  caller: string | undefined
}

/** The steps of the spines, by the titles of their paths. */
const spines: [string, SpineStep[]][] = paths
  .filter(({ section }) => section.includes('**The spine**'))
  .map(({ title, section }) => {
    const rows = [...section.matchAll(/^\| \d+ \| ([\w-]+) \| `([^`]+)` → `(\w+)` \| (.*) \|$/gm)]
    const paths = rows.map(([, name, path]) => join(repository, `packages/${name}/src`, path!))
    const steps = rows.map(([, , , name, reached], index) => ({
      path: paths[index]!,
      name: name!,
      caller: paths[Number(/^called by step (\d+)$/.exec(reached!)?.[1]) - 1],
    }))
    return [title, steps]
  })

it('these paths have spines', () => {
  expect(spines.map(([title]) => title)).toEqual([
    'The path of an announcement',
    'The path of a reminder',
    'The path of speech to transcribe',
    'The path of a conversation',
    'The path of an installation',
    'The path of a text',
    'The path of a phrase through sherpa-onnx',
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
