import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, usePythonEnvironment } from '../python/python-environment.ts'

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

/**
 * Installs the newest Home Assistant from Python's registry, once, with the packages that its constraints name, and a satellite.
 * @returns the folder with its programs.
 */
export function installHomeAssistant(): string {
  return usePythonEnvironment('home-assistant', {
    // Older versions of Home Assistant have no satellites.
    minVersion: 12,
    install(pip, program) {
      const python = program('python')
      pip('homeassistant')
      const requirements = fileURLToPath(new URL('requirements.py', import.meta.url))
      const needed = run(python, requirements, ...integrations).split('\n')
      const print = 'import homeassistant, os; print(os.path.dirname(homeassistant.__file__))'
      const constraints = join(run(python, '-c', print).trim(), 'package_constraints.txt')
      pip('--constraint', constraints, ...needed.filter(Boolean))
    },
  })
}
