import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { ModelError } from './model-error.ts'

const addon = 'sherpa-onnx-node@^1.13.8'
const maxOutputCharacters = 10_000

/**
 * Installs sherpa-onnx-node with npm where the service finds it. The output of npm goes to the standard error.
 * @throws {ModelError} if npm fails, with the code that it has printed, such as `ECONNREFUSED`. After an abort, the signal's
 * reason.
 */
export async function installAddon(dataFolder: string, signal: AbortSignal): Promise<void> {
  await mkdir(dataFolder, { recursive: true })
  const args = ['install', '--prefix', dataFolder, '--no-audit', '--no-fund', addon]
  const isWindows = process.platform === 'win32'
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    // The standard output is for the result of a command.
    stdio: ['ignore', 2, 'pipe'],
    shell: isWindows,
    signal,
  })
  let output = ''
  child.stderr?.on('data', (data) => {
    process.stderr.write(data)
    output = (output + data).slice(0, maxOutputCharacters)
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
