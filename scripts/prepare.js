// Makes a fresh clone ready: installs and builds what is missing or out of date. Runs before anything is installed, so it
// imports only modules of Node.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('..', import.meta.url))

/**
 * What decides whether a package must be built again. A build first deletes the previous one and writes code and types
 * separately, so after a failed build either can be missing.
 */
const packages = [
  {
    folder: 'packages/core',
    sources: ['packages/core/src'],
    built: ['dist/index.js', 'dist/index.d.cts'],
  },
  {
    folder: 'packages/local-service',
    sources: ['packages/local-service/src'],
    built: ['dist/index.js', 'dist/index.d.cts'],
  },
  {
    folder: 'packages/store',
    sources: ['packages/store/src'],
    built: ['dist/index.js', 'dist/index.d.cts'],
  },
  {
    folder: 'packages/webrtc',
    sources: ['packages/webrtc/src'],
    built: ['dist/index.js', 'dist/index.d.ts'],
  },
  {
    folder: 'packages/node-red-nodes',
    // The bundle for the editor contains parts of the core.
    sources: ['packages/node-red-nodes/src', 'packages/core/src', 'examples/flows'],
    built: ['dist/nodes/speak/speak.js', 'resources/editor.js'],
  },
]

/** Installs when `node_modules` is missing or older than the lockfile, and builds every package that is out of date. */
export async function prepare() {
  await installRepository()
  await build()
}

/** The first half of `prepare`, for commands that run the sources. */
export async function installRepository() {
  requireNode20()
  await install('Installing')
}

/**
 * Builds the packages whose sources are newer than their build.
 * @param folders which packages. Default: all.
 */
export async function build(folders) {
  const outdated = outdatedPackages(folders)
  if (outdated.length === 0) return
  // At the same time, since no build reads another one: bundles and types come from the sources.
  await step(
    `Building ${outdated.join(', ')}`,
    outdated.map((folder) => ({ folder, npmArguments: ['run', 'build', '--silent'] })),
  )
}

/** @returns the folders of the packages whose sources are newer than their build, or whose build is incomplete. */
export function outdatedPackages(folders = packages.map(({ folder }) => folder)) {
  return packages
    .filter((one) => folders.includes(one.folder) && !isBuilt(one))
    .map(({ folder }) => folder)
}

function isBuilt({ folder, sources, built }) {
  const configuration = ['package.json', 'tsup.config.ts'].map((file) => join(folder, file))
  const inputs = [...sources.flatMap(filesIn), ...configuration]
  const outputs = built.map((file) => join(folder, file))
  return Math.min(...outputs.map(modifiedAt)) >= Math.max(...inputs.map(modifiedAt))
}

/** Installs the dependencies of a folder when they are missing or older than its lockfile. */
export async function install(name, folder = '.') {
  const lockfile = join(folder, 'package-lock.json')
  if (modifiedAt(join(folder, 'node_modules/.package-lock.json')) >= modifiedAt(lockfile)) return
  // Hides npm's warning that Node-RED 5 needs a newer Node than the installing one: this install brings that Node.
  const npmArguments = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  await step(name, [{ folder, npmArguments }])
}

/** The Node for every command: the installed one if there is one, otherwise the one that runs this script. */
export function nodePath() {
  const installed = join(repository, 'node_modules/.bin/node')
  return existsSync(installed) ? installed : process.execPath
}

function requireNode20() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`Parlando needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org`)
}

/** Runs npm in several folders, and prints one line. Shows the output of npm only if it fails. */
async function step(name, runs) {
  const startedAt = performance.now()
  process.stdout.write(`${name} ... `)
  for (const { code, output, npmArguments, folder } of await Promise.all(runs.map(runNpm))) {
    if (code !== 0) fail(`failed:\n${output}\nnpm ${npmArguments.join(' ')} failed in ${folder}`)
  }
  console.log(`done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function runNpm({ folder, npmArguments }) {
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
    child.on('close', (code) => resolve({ code, output, npmArguments, folder }))
  })
}

function filesIn(folder) {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** In milliseconds; 0 if the file does not exist. */
function modifiedAt(path) {
  const absolute = path.startsWith(repository) ? path : join(repository, path)
  return statSync(absolute, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
