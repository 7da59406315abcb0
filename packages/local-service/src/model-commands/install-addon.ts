import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'

const addon = 'sherpa-onnx-node@^1.13.8'

/**
 * Installs sherpa-onnx-node with npm where the service finds it.
 * @throws {Error} if npm fails; it has printed why.
 */
export async function installAddon(dataFolder: string, signal: AbortSignal): Promise<void> {
  await mkdir(dataFolder, { recursive: true })
  const args = ['install', '--prefix', dataFolder, '--no-audit', '--no-fund', addon]
  const isWindows = process.platform === 'win32'
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    // The standard output is for the result of the command.
    stdio: ['ignore', 2, 2],
    shell: isWindows,
    signal,
  })
  const [exitCode] = await once(child, 'close').catch((error: Error) => {
    throw new Error(`npm cannot be started: ${error.message}`)
  })
  if (exitCode !== 0) throw new Error(`npm could not install ${addon}. Nothing else was changed`)
}
