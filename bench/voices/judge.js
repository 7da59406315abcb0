import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cache } from '../../test/models/packages.ts'

const program = fileURLToPath(new URL('judge.py', import.meta.url))
const folder = join(cache, 'judge')
const python = join(folder, 'bin/python')
const packages = ['distillmos==0.9.1', 'torch==2.15.0', 'soundfile']
const lowPriority = 'nice'

/**
 * Installs the judge in a virtual environment of Python, which takes 5 GB.
 * @returns why it cannot be used, or undefined.
 */
export function installJudge() {
  if (existsSync(python)) return undefined
  console.log('Installing the judge of the sound (Python, 5 GB)')
  try {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'ignore' })
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...packages], { stdio: 'ignore' })
    return undefined
  } catch (error) {
    return `The judge cannot be installed: ${error.message}`
  }
}

/** @returns the predicted opinion of each WAV file of 16 kHz, from 1 to 5. */
export function judge(paths) {
  const output = execFileSync(lowPriority, [python, program, ...paths], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26,
  })
  return JSON.parse(output.trim().split('\n').at(-1))
}
