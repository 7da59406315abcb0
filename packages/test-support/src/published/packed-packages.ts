import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { packages } from './published-packages.ts'

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

/** By folder. */
type PackedPackages = Record<string, PackedPackage>

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the packages of a run are packed. */
    packFolder: string
  }
}

const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const run = promisify(execFile)

/**
 * The packages as npm publishes them, with the addresses that a release adds. The first test file of a run that asks for them
 * packs them, since that takes long and few runs need it; the others wait for it.
 */
export async function packPackages(): Promise<PackedPackages> {
  const folder = inject('packFolder')
  const result = join(folder, 'packed.json')
  const copy = join(folder, 'repository')
  const isFirst = await mkdir(copy).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    const packed = await pack(folder, copy).catch(({ message }: Error) => ({ message }))
    await writeFile(`${result}.part`, JSON.stringify(packed))
    await rename(`${result}.part`, result)
  }
  while (!existsSync(result)) await delay(50)
  const packed: PackedPackages | { message: string } = JSON.parse(await readFile(result, 'utf8'))
  if (typeof packed['message'] === 'string') throw new Error(packed['message'])
  return packed as PackedPackages
}

async function pack(folder: string, copy: string): Promise<PackedPackages> {
  await copyBuild(copy)
  const addresses = {
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'parlando/parlando',
  }
  await run(process.execPath, ['scripts/state-addresses.js'], {
    cwd: copy,
    env: { ...process.env, ...addresses },
  })
  const workspaces = packages.flatMap((path) => ['--workspace', path])
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--pack-destination', folder, ...workspaces],
    { cwd: copy, shell: process.platform === 'win32', maxBuffer: 16 * 1024 * 1024 },
  )
  const packed = JSON.parse(stdout) as (PackedPackage & { filename: string })[]
  return Object.fromEntries(
    packed.map(({ name, filename, size, unpackedSize, files }, index) => [
      packages[index]!,
      { name, archive: join(folder, filename), size, unpackedSize, files },
    ]),
  )
}

/** Copies the built packages, because a release changes their package.json and README. */
async function copyBuild(copy: string): Promise<void> {
  const isPublished = (path: string) => !/[\\/](?:node_modules|src)$/.test(path)
  for (const path of ['package.json', 'scripts', ...packages]) {
    const options = { recursive: true, filter: isPublished }
    await cp(join(repository, path), join(copy, path), options)
  }
}
