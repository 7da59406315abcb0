import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** All documents, including uncommitted ones. */
const documents = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  { cwd: repository, encoding: 'utf8' },
)
  .split('\n')
  .filter((name) => name !== '' && existsSync(join(repository, name)))

interface Link {
  document: string
  target: string
}

/** Links to files and headings of the repository, without web links and code. */
function readLinks(document: string): Link[] {
  const links = prose(document).matchAll(/\]\(([^)\s]+)\)|\b(?:href|src)="([^"]+)"/g)
  return [...links]
    .map(([, inMarkdown, inHtml]) => ({ document, target: inMarkdown ?? inHtml! }))
    .filter(({ target }) => !/^[a-z]+:/i.test(target))
}

function prose(document: string): string {
  const text = readFileSync(join(repository, document), 'utf8')
  return text.replace(/^( *)```[\s\S]*?^\1```$/gm, '')
}

/** The anchors of a document, in GitHub's format. */
function anchorsOf(document: string): string[] {
  const seen = new Map<string, number>()
  return [...prose(document).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const text = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

/** @returns the problem of a link, if there is one. */
function problemOf({ document, target }: Link): string | undefined {
  const [path = '', anchor] = decodeURIComponent(target).split('#')
  const file = path === '' ? join(repository, document) : join(repository, dirname(document), path)
  if (!existsSync(file)) return `${document}: there is no ${path}`
  if (anchor === undefined || statSync(file).isDirectory()) return undefined
  if (anchorsOf(relative(repository, file)).includes(anchor)) return undefined
  return `${document}: ${target} has no such heading`
}

it('all links lead to existing files and headings', () => {
  const links = documents.flatMap(readLinks)
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/core.md']),
  )
  expect(links.length).toBeGreaterThan(40)
  expect(links.map(problemOf).filter(Boolean)).toEqual([])
})

it('every page of docs can be reached from the README', () => {
  const reached = new Set(['README.md'])
  for (const document of reached) {
    for (const { target } of readLinks(document)) {
      const next = join(dirname(document), decodeURIComponent(target).split('#')[0]!)
      if (documents.includes(next)) reached.add(next)
    }
  }
  const pages = documents.filter((name) => name.startsWith('docs/'))
  expect(pages.filter((page) => !reached.has(page))).toEqual([])
})
