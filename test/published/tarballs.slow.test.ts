import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packPackages } from '@parlando/test-support/published/packed-packages'
import { describe, expect, it, onTestFinished } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const everywhere = ['LICENSE', 'NOTICE', 'README.md', 'package.json']
const code = /^dist\/[\w-]+\.(js|cjs|d\.ts|d\.cts)$/

/** The other files of each package, and its largest size. */
const packages = [
  { path: 'packages/core', holds: [code], maxPackedBytes: 340_000 },
  {
    path: 'packages/local-service',
    holds: [code, /^bin\/parlando-local\.js$/, /^openapi\.yaml$/],
    maxPackedBytes: 730_000,
  },
  {
    path: 'packages/voices',
    holds: [
      /^(english|british|heart|pico|smart-turn|speech-embedding|wake-words)\/[\w-]+\.(json|txt\.gz|safetensors|bin)$/,
    ],
    // It is committed, so a clone must stay small.
    maxPackedBytes: 23_500_000,
  },
  // Nearly all of it is BullMQ, which loads when services share a Redis.
  { path: 'packages/store', holds: [code], maxPackedBytes: 700_000 },
  { path: 'packages/webrtc', holds: [code], maxPackedBytes: 20_000 },
  {
    path: 'packages/node-red-nodes',
    holds: [
      /^dist\/nodes\/[\w-]+\/[\w-]+\.(js|html)$/,
      /^dist\/locales\/[\w-]+\/spoken\.json$/,
      /^dist\/pages\/[\w-]+\.(js|html)$/,
      /^dist\/nodes\/[\w-]+\/icons\/[\w-]+\.svg$/,
      /^dist\/nodes\/[\w-]+\/locales\/[\w-]+\/[\w-]+\.(json|html)$/,
      /^examples\/\d\d - [^/]+\.json$/,
      /^resources\/[\w-]+\.(js|css)$/,
    ],
    // Each node is a bundle of its own, with the code that it shares.
    maxPackedBytes: 940_000,
  },
]

/** The files that a package.json refers to. */
function namedIn(manifest: string): string[] {
  const { main, module, types, bin, 'node-red': nodeRed } = JSON.parse(manifest)
  const nodes: string[] = Object.values(nodeRed?.nodes ?? {})
  const forms = nodes.map((file) => file.replace(/\.js$/, '.html'))
  return [main, module, types, ...Object.values(bin ?? {}), ...nodes, ...forms]
    .filter((file) => file !== undefined)
    .map((file) => file.replace(/^\.\//, ''))
}

const archives = await packPackages()

describe.each(packages)('the archive of $path', ({ path, holds, maxPackedBytes }) => {
  const folder = join(repository, path)
  const packed = archives[path]!
  const files = packed.files.map((file) => file.path)
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')

  it('contains the files that it needs and no others', () => {
    expect(files).toEqual(
      expect.arrayContaining([...everywhere, ...namedIn(textOf('package.json'))]),
    )
    const needed = (file: string) =>
      everywhere.includes(file) || holds.some((pattern) => pattern.test(file))
    expect(files.filter((file) => !needed(file))).toEqual([])
  })

  it('stays below its size limit', () => {
    expect(packed.size).toBeLessThan(maxPackedBytes)
  })

  it('has no install script', () => {
    const { scripts = {} } = JSON.parse(textOf('package.json')) as {
      scripts?: Record<string, string>
    }
    const installScripts = Object.keys(scripts).filter((name) =>
      /^(pre|post)?(install|prepare)$/.test(name),
    )
    expect(installScripts).toEqual([])
  })

  it('names no missing source map and no path of the build machine', () => {
    const unwanted = ['sourceMappingURL', repository, homedir()].filter((text) => text.length > 1)
    const pointing = files.filter((file) => unwanted.some((text) => textOf(file).includes(text)))
    expect(pointing).toEqual([])
  })

  it('has a package.json that npm publishes unchanged', () => {
    const copy = mkdtempSync(join(tmpdir(), 'parlando-tarballs-'))
    onTestFinished(() => rmSync(copy, { recursive: true }))
    copyFileSync(join(folder, 'package.json'), join(copy, 'package.json'))
    execFileSync('npm', ['pkg', 'fix'], {
      cwd: copy,
      stdio: 'ignore',
      shell: process.platform === 'win32',
    })
    expect(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))).toEqual(
      JSON.parse(textOf('package.json')),
    )
  })

  it('is public and has a provenance statement', () => {
    expect(JSON.parse(textOf('package.json'))).toMatchObject({
      license: 'Apache-2.0',
      publishConfig: { access: 'public', provenance: true },
    })
  })
})
