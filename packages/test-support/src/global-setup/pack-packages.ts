import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { packages } from '../published-packages.ts'

export interface PackedPackage {
  name: string
  /** The tarball. */
  archive: string
  /** In bytes. */
  size: number
  /** In bytes. */
  unpackedSize: number
  files: { path: string; size: number }[]
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The packages as npm publishes them, by folder. */
    packed: Record<string, PackedPackage>
  }
}

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

/** Packs every package once for all tests of a project, with the addresses that a release adds. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-packed-'))
  const copy = join(folder, 'repository')
  copyBuild(copy)
  const shell = process.platform === 'win32'
  execFileSync(process.execPath, ['scripts/state-addresses.js'], {
    cwd: copy,
    env: {
      ...process.env,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'parlando/parlando',
    },
  })
  const workspaces = packages.flatMap((path) => ['--workspace', path])
  const printed = execFileSync(
    'npm',
    ['pack', '--json', '--pack-destination', folder, ...workspaces],
    { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], shell },
  )
  const packed = JSON.parse(printed) as (PackedPackage & { filename: string })[]
  provide(
    'packed',
    Object.fromEntries(
      packed.map(({ name, filename, size, unpackedSize, files }, index) => [
        packages[index]!,
        { name, archive: join(folder, filename), size, unpackedSize, files },
      ]),
    ),
  )
  return () => rmSync(folder, { recursive: true })
}

/** Copies the built packages, because a release changes their package.json and README. */
function copyBuild(copy: string): void {
  const isPublished = (path: string) => !/[\\/](?:node_modules|src)$/.test(path)
  for (const path of ['package.json', 'scripts', ...packages]) {
    cpSync(join(repository, path), join(copy, path), { recursive: true, filter: isPublished })
  }
}
