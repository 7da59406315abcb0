import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where installed systems stay between runs. */
export const systemsCache = resolve(
  process.env['PARLANDO_SYSTEMS_CACHE'] ??
    fileURLToPath(new URL('../../../node_modules/.cache/parlando-systems', import.meta.url)),
)

/** The newest first: it decides which version of a package is the newest. */
const pythons = ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3']

/** @returns 13 for Python 3.13. */
function versionOf(name: string): number | undefined {
  try {
    const print = 'import sys; print(sys.version_info.minor)'
    return Number(execFileSync(name, ['-c', print], { stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}

export interface EnvironmentOptions {
  /** 12 for Python 3.12. */
  minVersion: number
  /** The newest that a package supports. Default: any. */
  maxVersion?: number
  /**
   * Installs into a new environment.
   * @param pip installs packages, with the options of `pip install`.
   * @param program of the environment, such as `python`.
   */
  install(pip: (...args: string[]) => void, program: (name: string) => string): void
}

/** Creates an environment of Python with packages from its registry, once. @returns the folder with its programs. */
export function usePythonEnvironment(
  name: string,
  { minVersion, maxVersion = Number.POSITIVE_INFINITY, install }: EnvironmentOptions,
): string {
  const python = pythons.find((each) => {
    const version = versionOf(each) ?? 0
    return version >= minVersion && version <= maxVersion
  })
  if (!python) {
    const range = maxVersion < Number.POSITIVE_INFINITY ? `to 3.${maxVersion}` : 'or newer'
    throw new Error(`The test of ${name} needs Python 3.${minVersion} ${range}`)
  }
  const folder = join(systemsCache, `${name}-${python}`)
  if (existsSync(folder)) return join(folder, 'bin')
  mkdirSync(systemsCache, { recursive: true })
  const created = mkdtempSync(`${folder}-`)
  try {
    fillEnvironment(python, created, install)
  } catch (error) {
    rmSync(created, { recursive: true })
    throw error
  }
  offer(created, folder)
  return join(folder, 'bin')
}

function fillEnvironment(
  python: string,
  created: string,
  install: EnvironmentOptions['install'],
): void {
  run(python, '-m', 'venv', created)
  const program = (wanted: string) => join(created, 'bin', wanted)
  // Where the newest version does not fit the Python, pip tries for half an hour which earlier ones do; uv needs seconds.
  run(program('python'), '-m', 'pip', 'install', '--quiet', 'uv')
  const pip = (...args: string[]) =>
    run(program('uv'), 'pip', 'install', '--quiet', '--python', program('python'), ...args)
  install(pip, program)
}

/** Makes a complete environment the one of all tests. Files run in parallel: what another one has offered may be in use. */
function offer(created: string, folder: string): void {
  try {
    symlinkSync(basename(created), folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    rmSync(created, { recursive: true })
  }
}

/** @returns what a program writes. @throws with what it reports. */
export function run(program: string, ...programArguments: string[]): string {
  try {
    return execFileSync(program, programArguments, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    throw new Error(`${program} ${programArguments.join(' ')} failed: ${stderr}`)
  }
}
