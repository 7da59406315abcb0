import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withoutSecrets } from '../../processes/child.ts'
import { ModelError } from '../catalogue/model-error.ts'
import tested from './addon.json' with { type: 'json' }
import { throwDiskFailure } from './disk-failure.ts'
import { lockFolder } from './lock-folder.ts'

/** The version of sherpa-onnx-node that the tests use, and the checksums of it and of its builds. */
export interface Addon {
  version: string
  /** The checksums by package, as npm writes them. */
  integrity: Readonly<Record<string, string | undefined>>
}

export interface AddonOptions {
  signal: AbortSignal
  /** Receives what npm prints. */
  onOutput?(text: string): void
  /** Default: the tested one. */
  addon?: Addon
}

const name = 'sherpa-onnx-node'
const stagingPrefix = '.staging-addon-'
const maxOutputCharacters = 10_000

/**
 * Installs sherpa-onnx-node with npm where the service finds it: exactly the tested version and its build for this machine.
 * npm runs no script of a package, and receives no variable of the service. The service finds the package only when it is complete
 * and its checksums are right, also if this process or the machine is stopped meanwhile.
 * @throws {ModelError} if npm fails, with the code that it has printed, such as `ECONNREFUSED`, if a checksum is wrong, or
 * if the disk is full or cannot be written. After an abort, the signal's reason.
 */
export async function installAddon(dataFolder: string, options: AddonOptions): Promise<void> {
  await mkdir(dataFolder, { recursive: true }).catch(throwDiskFailure)
  const release = await lockFolder(dataFolder)
  try {
    await removeStaging(dataFolder)
    await installInSteps(dataFolder, options).catch(throwDiskFailure)
  } finally {
    await removeStaging(dataFolder)
    await release()
  }
}

async function installInSteps(dataFolder: string, options: AddonOptions): Promise<void> {
  const { signal, onOutput, addon = tested } = options
  const names = [name, buildName()].filter((one) => one in addon.integrity)
  const packages = names.map((one) => `${one}@${addon.version}`)
  // Each time another one: npm goes on for a while after its parent has crashed.
  const staging = await mkdtemp(join(dataFolder, stagingPrefix))
  const { exitCode, output } = await runNpm(staging, packages, signal, onOutput)
  if (exitCode !== 0) {
    const [, code = 'it has printed why'] = /npm (?:error|ERR!) code (\w+)/.exec(output) ?? []
    throw new ModelError(
      'ADDON_FAILED',
      `npm could not install ${packages[0]}. Nothing else was changed (${code})`,
    )
  }
  const wrong = await findWrong(staging, names, addon)
  if (wrong.length > 0) {
    throw new ModelError(
      'ADDON_FAILED',
      `npm received another ${wrong.join(' and ')} than the one that this service was tested with, and it was removed. Check the registry of npm`,
    )
  }
  await writeToDisk(staging)
  signal.throwIfAborted()
  await movePackages(names, join(staging, 'node_modules'), join(dataFolder, 'node_modules'))
}

/** Removes what interrupted installations have left. What cannot be removed yet, the next one removes. */
async function removeStaging(dataFolder: string): Promise<void> {
  const found = (await readdir(dataFolder)).filter((one) => one.startsWith(stagingPrefix))
  const paths = found.map((one) => join(dataFolder, one))
  await Promise.allSettled(paths.map((path) => rm(path, { recursive: true, force: true })))
}

/** Without it, a power cut soon afterwards could leave empty files under the names of the moved ones. */
async function writeToDisk(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    // Windows writes only files to the disk that may be changed.
    const file = await open(join(entry.parentPath, entry.name), 'r+')
    await file.sync().finally(() => file.close())
  }
}

/** @param names the package by which the service finds all of them is the first one, so it is moved last. */
async function movePackages(names: readonly string[], from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const one of names) await rm(join(to, one), { recursive: true, force: true })
  for (const one of [...names].reverse()) await rename(join(from, one), join(to, one))
}

/** The package with the build for this machine. */
function buildName(): string {
  const system = process.platform === 'win32' ? 'win' : process.platform
  return `sherpa-onnx-${system}-${process.arch}`
}

async function runNpm(
  folder: string,
  packages: readonly string[],
  signal: AbortSignal,
  onOutput: (text: string) => void = () => {},
): Promise<{ exitCode: number; output: string }> {
  const isWindows = process.platform === 'win32'
  // Trap: npm is a batch file on Windows and needs a shell, for which Node.js joins the arguments without quotes. Neither a
  // space nor a caret survives that, so the path of the folder is none of them.
  const flags = ['--prefix', '.', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact']
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', ['install', ...flags, ...packages], {
    cwd: folder,
    env: withoutSecrets(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
    signal,
  })
  let output = ''
  const read = (data: Buffer) => {
    onOutput(data.toString())
    // npm prints warnings first and its error last.
    output = (output + data).slice(-maxOutputCharacters)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const [exitCode] = await once(child, 'close').catch(async (error: Error) => {
    // Until then, npm still writes into the folder.
    if (child.pid !== undefined) await exited
    signal.throwIfAborted()
    throw new ModelError('ADDON_FAILED', `npm cannot be started: ${error.message}`)
  })
  return { exitCode, output }
}

/** @returns the packages whose checksum is not the expected one. npm has compared it with what it received. */
async function findWrong(
  folder: string,
  names: readonly string[],
  { integrity }: Addon,
): Promise<string[]> {
  const lock = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, { integrity?: string }> }
  return names.filter((one) => packages[`node_modules/${one}`]?.integrity !== integrity[one])
}
