import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
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

/** Packs every package once for all tests of a project. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-packed-'))
  const workspaces = packages.flatMap((path) => ['--workspace', path])
  const printed = execFileSync(
    'npm',
    ['pack', '--json', '--pack-destination', folder, ...workspaces],
    {
      cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    },
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
