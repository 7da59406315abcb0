import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withoutSecrets } from '../../processes/child.ts'
import { ModelError } from '../catalogue/model-error.ts'
import tested from './addon.json' with { type: 'json' }

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
const maxOutputCharacters = 10_000

/**
 * Installs sherpa-onnx-node with npm where the service finds it: exactly the tested version and its build for this machine.
 * npm runs no script of a package, and receives no variable of the service.
 * @throws {ModelError} if npm fails, with the code that it has printed, such as `ECONNREFUSED`, or if a checksum is wrong.
 * After an abort, the signal's reason.
 */
export async function installAddon(dataFolder: string, options: AddonOptions): Promise<void> {
  const { signal, onOutput, addon = tested } = options
  await mkdir(dataFolder, { recursive: true })
  const names = [name, buildName()].filter((one) => one in addon.integrity)
  const packages = names.map((one) => `${one}@${addon.version}`)
  const { exitCode, output } = await runNpm(dataFolder, packages, signal, onOutput)
  if (exitCode !== 0) {
    const [, code = 'it has printed why'] = /npm (?:error|ERR!) code (\w+)/.exec(output) ?? []
    throw new ModelError(
      'ADDON_FAILED',
      `npm could not install ${packages[0]}. Nothing else was changed (${code})`,
    )
  }
  const wrong = await findWrong(dataFolder, names, addon)
  if (wrong.length === 0) return
  const folders = names.map((one) => join(dataFolder, 'node_modules', one))
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  throw new ModelError(
    'ADDON_FAILED',
    `npm received another ${wrong.join(' and ')} than the one that this service was tested with, and it was removed. Check the registry of npm`,
  )
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
  const [exitCode] = await once(child, 'close').catch((error: Error) => {
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
