import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { ModelError } from './model-error.ts'

const addon = 'sherpa-onnx-node@1'
// Trap: npm is a batch file on Windows and needs a shell, for which Node.js joins the arguments without quotes. Neither a
// space nor a caret survives that, so the path of the folder is none of them.
const args = ['install', '--prefix', '.', '--no-audit', '--no-fund', addon]
const maxOutputCharacters = 10_000

/**
 * Installs sherpa-onnx-node with npm where the service finds it. The output of npm goes to the standard error.
 * @throws {ModelError} if npm fails, with the code that it has printed, such as `ECONNREFUSED`. After an abort, the signal's
 * reason.
 */
export async function installAddon(dataFolder: string, signal: AbortSignal): Promise<void> {
  await mkdir(dataFolder, { recursive: true })
  const isWindows = process.platform === 'win32'
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    cwd: dataFolder,
    // The standard output is for the result of a command.
    stdio: ['ignore', 2, 'pipe'],
    shell: isWindows,
    signal,
  })
  let output = ''
  child.stderr?.on('data', (data) => {
    process.stderr.write(data)
    // npm prints warnings first and its error last.
    output = (output + data).slice(-maxOutputCharacters)
  })
  const [exitCode] = await once(child, 'close').catch((error: Error) => {
    signal.throwIfAborted()
    throw new ModelError('ADDON_FAILED', `npm cannot be started: ${error.message}`)
  })
  if (exitCode === 0) return
  const [, code = 'it has printed why'] = /npm (?:error|ERR!) code (\w+)/.exec(output) ?? []
  throw new ModelError(
    'ADDON_FAILED',
    `npm could not install ${addon}. Nothing else was changed (${code})`,
  )
}
