import { execFileSync, spawn } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cache } from '../../test/models/packages.ts'
import { joinWhisper } from '../../test/models/whisper/whisper.ts'

const program = fileURLToPath(new URL('judge.py', import.meta.url))
const folder = join(cache, 'judge')
const python = join(folder, 'bin/python')
// Written last: an installation that was interrupted begins again.
const marker = join(folder, 'installed')
const packages = ['distillmos==0.9.1', 'torch==2.15.0', 'soundfile', 'faster-whisper==1.2.1']

/**
 * Installs the judge in a virtual environment of Python, which takes 5 GB.
 * @throws {Error} if this machine lacks Python 3.
 */
export function installJudge() {
  if (existsSync(marker)) return
  console.log('Installing the judge of the sound (Python, 5 GB)')
  rmSync(folder, { recursive: true, force: true })
  execFileSync('python3', ['-m', 'venv', folder])
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...packages])
  writeFileSync(marker, packages.join('\n'))
}

/**
 * Judges WAV files of 16 kHz, on all cores: a sentence takes a core about two seconds.
 * @returns what Whisper base hears in each, and the predicted opinion from 1 to 5.
 */
export async function judge(paths) {
  const whisper = await joinWhisper()
  const share = Math.ceil(paths.length / availableParallelism())
  const starts = Array.from({ length: Math.ceil(paths.length / share) }, (_, at) => at * share)
  const judging = starts.map((start) => judgeOnOneCore(whisper, paths.slice(start, start + share)))
  return (await Promise.all(judging)).flat()
}

async function judgeOnOneCore(whisper, paths) {
  const child = spawn(python, [program, whisper, ...paths], { stdio: ['ignore', 'pipe', 'pipe'] })
  let problem = ''
  child.stderr.on('data', (text) => {
    problem = `${problem}${text}`.slice(-2_000)
  })
  const judgements = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) judgements.push(JSON.parse(line))
  }
  if (judgements.length < paths.length) throw new Error(`The judge has failed: ${problem}`)
  return judgements
}
