import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const everywhere = ['LICENSE', 'NOTICE', 'README.md', 'package.json']
const code = /^dist\/[\w-]+\.(js|cjs|d\.ts|d\.cts)$/

/** What each package holds beside that, and how large it may become. */
const packages = [
  { path: 'packages/core', holds: [code], maxPackedBytes: 200_000 },
  {
    path: 'packages/local-service',
    holds: [code, /^bin\/parlando-local\.js$/, /^openapi\.yaml$/],
    maxPackedBytes: 300_000,
  },
  {
    path: 'packages/node-red-nodes',
    holds: [
      /^dist\/nodes\/[\w-]+\/[\w-]+\.(js|html)$/,
      /^dist\/nodes\/[\w-]+\/icons\/[\w-]+\.svg$/,
      /^dist\/nodes\/[\w-]+\/locales\/[\w-]+\/[\w-]+\.(json|html)$/,
      /^examples\/\d\d - [^/]+\.json$/,
      /^resources\/[\w-]+\.(js|css)$/,
    ],
    maxPackedBytes: 150_000,
  },
]

interface Packed {
  size: number
  files: { path: string; size: number }[]
}

/** The files that a package.json names. */
function namedIn(manifest: string): string[] {
  const { main, module, types, bin, 'node-red': nodeRed } = JSON.parse(manifest)
  const nodes: string[] = Object.values(nodeRed?.nodes ?? {})
  const forms = nodes.map((file) => file.replace(/\.js$/, '.html'))
  return [main, module, types, ...Object.values(bin ?? {}), ...nodes, ...forms]
    .filter((file) => file !== undefined)
    .map((file) => file.replace(/^\.\//, ''))
}

function npm(npmArguments: string[], cwd: string): string {
  return execFileSync('npm', npmArguments, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
}

describe.each(packages)('the archive of $path', ({ path, holds, maxPackedBytes }) => {
  const folder = join(repository, path)
  const [packed] = JSON.parse(npm(['pack', '--dry-run', '--json'], folder)) as [Packed]
  const files = packed.files.map((file) => file.path)
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')

  it('holds what is needed and nothing else', () => {
    expect(files).toEqual(
      expect.arrayContaining([...everywhere, ...namedIn(textOf('package.json'))]),
    )
    const needed = (file: string) =>
      everywhere.includes(file) || holds.some((pattern) => pattern.test(file))
    expect(files.filter((file) => !needed(file))).toEqual([])
  })

  it('is small', () => {
    expect(packed.size).toBeLessThan(maxPackedBytes)
  })

  it('runs nothing when it is installed', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const ofNpm = Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))
    expect(ofNpm).toEqual([])
  })

  it('points to no map that is not there, and to no place on the machine that made it', () => {
    const unwanted = ['sourceMappingURL', repository, homedir()].filter((text) => text.length > 1)
    const pointing = files.filter((file) => unwanted.some((text) => textOf(file).includes(text)))
    expect(pointing).toEqual([])
  })

  it('has a package.json that npm publishes as it stands', () => {
    const copy = mkdtempSync(join(tmpdir(), 'parlando-tarballs-'))
    onTestFinished(() => rmSync(copy, { recursive: true }))
    copyFileSync(join(folder, 'package.json'), join(copy, 'package.json'))
    npm(['pkg', 'fix'], copy)
    expect(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))).toEqual(
      JSON.parse(textOf('package.json')),
    )
  })

  it('is published for everybody, with a proof of where it was made', () => {
    expect(JSON.parse(textOf('package.json'))).toMatchObject({
      license: 'Apache-2.0',
      publishConfig: { access: 'public', provenance: true },
    })
  })
})
