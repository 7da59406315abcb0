import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where installed systems stay between runs. */
const cache = resolve(
  process.env['PARLANDO_SYSTEMS_CACHE'] ??
    fileURLToPath(new URL('../../node_modules/.cache/parlando-systems', import.meta.url)),
)

/** What a Home Assistant needs to start, and the integrations of the tests. */
const integrations = [
  ...[
    'frontend',
    'onboarding',
    'api',
    'config',
    'media_player',
    'assist_satellite',
    'wyoming',
    'mpd',
  ],
  ...['backup', 'hardware', 'network', 'system_health', 'application_credentials', 'analytics'],
  ...['automation', 'scene', 'script', 'person', 'tag', 'zone', 'counter', 'schedule', 'timer'],
]

/** The newest Python that is installed: it decides which Home Assistant is the newest. */
const pythons = ['python3.14', 'python3.13', 'python3.12', 'python3']

const python = pythons.find((name) => versionOf(name) !== undefined)

/** @returns 13 for Python 3.13. */
function versionOf(name: string): number | undefined {
  try {
    const print = 'import sys; print(sys.version_info.minor)'
    return Number(execFileSync(name, ['-c', print], { stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}

/**
 * Installs the newest Home Assistant from Python's registry, once, with the packages that its constraints name, and a satellite.
 * @returns the folder with its programs.
 */
export function installHomeAssistant(): string {
  if (!python || versionOf(python)! < 12) {
    throw new Error('A Home Assistant with satellites needs Python 3.12 or newer')
  }
  const folder = join(cache, `home-assistant-${python}`)
  const programs = join(folder, 'bin')
  const done = join(folder, 'installed')
  if (existsSync(done)) return programs
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  run(python, '-m', 'venv', folder)
  const pip = (...args: string[]) =>
    run(join(programs, 'python'), '-m', 'pip', 'install', '--quiet', ...args)
  pip('homeassistant')
  const requirements = fileURLToPath(new URL('requirements.py', import.meta.url))
  const needed = run(join(programs, 'python'), requirements, ...integrations).split('\n')
  const constraints = run(
    join(programs, 'python'),
    '-c',
    'import homeassistant, os; print(os.path.dirname(homeassistant.__file__))',
  ).trim()
  pip('--constraint', join(constraints, 'package_constraints.txt'), ...needed.filter(Boolean))
  writeFileSync(done, '')
  return programs
}

function run(program: string, ...programArguments: string[]): string {
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
