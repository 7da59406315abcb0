import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchPackage, prepareOnce } from '../packages.ts'

const program = fileURLToPath(new URL('phonemize.py', import.meta.url))
const libraries = ['numpy==2.4.6', 'onnxruntime==1.32.0']

/**
 * Runs the phonemiser from whose output the networks of Heart have learned: that of the package with its weights.
 * @returns the sounds of each text, with a space between its words.
 * @throws {Error} if this machine lacks Python 3 with pip.
 */
export async function phonemizeByReference(texts: readonly string[]): Promise<string[]> {
  const python = await prepareOnce('reference-phonemiser', (folder) => {
    execFileSync('python3', ['-m', 'venv', folder])
    const pip = [join(folder, 'bin/python'), '-m', 'pip', 'install', '--quiet', ...libraries]
    execFileSync(pip[0]!, pip.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] })
  })
  const output = execFileSync(join(python, 'bin/python'), [program], {
    input: texts.join('\n'),
    env: { ...process.env, PYTHONPATH: fetchPackage('hibari-tts'), PYTHONIOENCODING: 'utf-8' },
    encoding: 'utf8',
  })
  return output.trimEnd().split('\n')
}
