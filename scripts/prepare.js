// Makes a fresh clone ready: installs and builds, but only what is missing or out of date. Runs before anything is
// installed, so it uses nothing but Node itself.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('..', import.meta.url))

const sourceFolders = [
  'examples/flows',
  'packages/core/src',
  'packages/local-service/src',
  'packages/node-red-nodes/src',
]
const sourceFiles = ['core', 'local-service', 'node-red-nodes'].flatMap((name) => [
  `packages/${name}/package.json`,
  `packages/${name}/tsup.config.ts`,
])
// A build first clears away the last one and writes code and types apart, so either is missing after one that failed.
const builtFiles = [
  'packages/core/dist/index.js',
  'packages/core/dist/index.d.cts',
  'packages/local-service/dist/index.js',
  'packages/local-service/dist/index.d.cts',
  'packages/node-red-nodes/dist/nodes/speak/speak.js',
]

/** Installs when `node_modules` is missing or older than the lockfile, builds when sources are newer. */
export async function prepare() {
  requireNode20()
  await install('Installing')
  const newestSource = Math.max(
    ...[...sourceFolders.flatMap(filesIn), ...sourceFiles].map(modifiedAt),
  )
  const oldestBuilt = Math.min(...builtFiles.map(modifiedAt))
  if (oldestBuilt < newestSource) await step('Building', ['run', 'build', '--silent'])
}

/** Installs what a folder of the repository asks for, when that is missing or older than its lockfile. */
export async function install(name, folder = '.') {
  const lockfile = join(folder, 'package-lock.json')
  if (modifiedAt(join(folder, 'node_modules/.package-lock.json')) >= modifiedAt(lockfile)) return
  // Node-RED 5 asks for a newer Node than the one that may install it; that newer one comes with this very install,
  // so the warning about it would only worry people.
  await step(name, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder)
}

/** The Node to run things with: the one that the install brought where there is one, else the one running this. */
export function nodePath() {
  const installed = join(repository, 'node_modules/.bin/node')
  return existsSync(installed) ? installed : process.execPath
}

function requireNode20() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`Parlando needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org`)
}

/** Says in one line what is being done and how long it took; what npm says is shown only when it fails. */
async function step(name, npmArguments, folder = '.') {
  const startedAt = performance.now()
  process.stdout.write(`${name} ... `)
  const { code, output } = await runNpm(npmArguments, folder)
  if (code !== 0) fail(`failed:\n${output}\n${name} failed: npm ${npmArguments.join(' ')}`)
  console.log(`done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function runNpm(npmArguments, folder) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', npmArguments, {
      cwd: join(repository, folder),
      shell: process.platform === 'win32',
    })
    let output = ''
    const keep = (data) => {
      output += data
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

function filesIn(folder) {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Milliseconds; 0 for what does not exist. */
function modifiedAt(path) {
  const absolute = path.startsWith(repository) ? path : join(repository, path)
  return statSync(absolute, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
