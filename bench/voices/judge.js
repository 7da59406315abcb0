import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cache } from '../../test/models/packages.ts'
import { joinWhisper } from '../../test/models/whisper.ts'

const program = fileURLToPath(new URL('judge.py', import.meta.url))
const folder = join(cache, 'judge')
const python = join(folder, 'bin/python')
const packages = ['distillmos==0.9.1', 'torch==2.15.0', 'soundfile', 'faster-whisper==1.2.1']

/**
 * Installs the judge in a virtual environment of Python, which takes 5 GB.
 * @throws {Error} if this machine lacks Python 3.
 */
export function installJudge() {
  if (existsSync(python)) return
  console.log('Installing the judge of the sound (Python, 5 GB)')
  execFileSync('python3', ['-m', 'venv', folder])
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...packages])
}

/** @returns what Whisper base hears in each WAV file of 16 kHz, and the predicted opinion from 1 to 5. */
export async function judge(paths) {
  const child = spawn(python, [program, await joinWhisper(), ...paths], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const judgements = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) judgements.push(JSON.parse(line))
  }
  if (judgements.length < paths.length)
    throw new Error(`The judge has failed: ${python} ${program}`)
  return judgements
}
