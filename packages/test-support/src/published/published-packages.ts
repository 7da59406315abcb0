import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repositoryFolder = fileURLToPath(new URL('../../../..', import.meta.url))

/** The folders of the published packages. */
export const packages = [
  'core',
  'local-service',
  'voices',
  'store',
  'webrtc',
  'node-red-nodes',
].map((name) => `packages/${name}`)

interface LockedPackage {
  license?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const lockfile = JSON.parse(readFileSync(join(repositoryFolder, 'package-lock.json'), 'utf8'))
/** The packages in package-lock.json, by path. */
export const locked: Record<string, LockedPackage> = lockfile.packages

/** The path at which Node finds a package from a folder: in its `node_modules` or in that of a parent folder. */
function find(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = join(folder, 'node_modules', name)
    if (locked[path]) return locked[path].link ? locked[path].resolved! : path
    if (!folder) return undefined
  }
}

/** The paths of all packages that npm installs with a package, including itself, on any platform. */
export function installedWith(path: string): string[] {
  return [...collect(path)]
}

function collect(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const entry = locked[path]!
  // npm leaves out a peer that is optional.
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => !entry.peerDependenciesMeta?.[name]?.optional,
  )
  const own = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
  for (const name of [...own, ...peers]) {
    const dependency = find(name, path)
    if (dependency) collect(dependency, found)
    else throw new Error(`${path} depends on ${name}, which is missing from package-lock.json`)
  }
  return found
}
