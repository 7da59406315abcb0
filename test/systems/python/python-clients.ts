import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { until, voicePieces } from '@parlando/test-support/local-service/five-turns'
import { onTestFinished } from 'vitest'
import { run, usePythonEnvironment } from './python-environment.ts'

const packages = {
  openai: ['openai[realtime]'],
  livekit: ['livekit-agents', 'livekit-plugins-inworld', 'livekit-plugins-openai'],
  pipecat: ['pipecat-ai[openai]'],
}

/** The Python client of a vendor. */
export type PythonClient = keyof typeof packages

export const pythonClients = Object.keys(packages) as PythonClient[]

/** Installs the newest version from Python's registry, once. @returns the folder with its programs. */
function install(client: PythonClient): string {
  return usePythonEnvironment(client, {
    minVersion: 11,
    install: (pip) => pip(...packages[client]),
  })
}

/** @returns the packages of a client with their versions. */
export function versionsOf(client: PythonClient): string {
  const names = packages[client].map((name) => name.replace(/\[.*/, ''))
  const print = `from importlib.metadata import version; print(", ".join(f"{n} {version(n)}" for n in ${JSON.stringify(names)}))`
  return run(join(install(client), 'python'), '-c', print).trim()
}

/** What a program reports: events of the service, and what it measures. */
export interface ProgramReport {
  type: string
  [fact: string]: unknown
}

/** A program that uses a client. Its microphone is silent but for the turns of the test. */
export interface ClientProgram {
  /** So far. */
  readonly reports: readonly ProgramReport[]
  /** Speaks a turn into its microphone. */
  say(): void
  /** Waits for a report of this type, after those that were waited for. @throws if the program ends before it. */
  next(type: string): Promise<ProgramReport>
  /** Ends its microphone. Resolves when the program has ended. @throws with what it writes if it fails. */
  end(): Promise<void>
}

/** Starts a program of this folder, which ends with the test. @param options after the address of the service and the turn. */
export async function startProgram(
  client: PythonClient,
  task: 'converse' | 'speak' | 'transcribe',
  ...options: string[]
): Promise<ClientProgram> {
  const programs = install(client)
  const script = fileURLToPath(new URL(`${task}_with_${client}.py`, import.meta.url))
  const child = spawn(join(programs, 'python'), [script, ...options], { stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const reports: ProgramReport[] = []
  let problems = ''
  let position = 0
  child.stderr.on('data', (data) => {
    problems = (problems + data).slice(-10_000)
  })
  createInterface(child.stdout).on('line', (line) => reports.push(JSON.parse(line)))
  const exited = once(child, 'close')
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    reports,
    say: () => void child.stdin.write('\n'),
    async next(type) {
      const find = () => reports.findIndex((report, at) => at >= position && report.type === type)
      await until(() => find() >= 0 || hasEnded())
      const index = find()
      if (index < 0) throw new Error(`${script} ended without ${type}: ${problems}`)
      position = index + 1
      return reports[index]!
    },
    async end() {
      child.stdin.end()
      await exited
      if (child.exitCode !== 0) throw new Error(`${script} failed: ${problems}`)
    },
  }
}

/** Writes the turn that the microphones of the programs play: PCM with 24 kHz. @returns its path. */
export async function writeTurn(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'turn-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'turn.pcm')
  await writeFile(path, Buffer.concat(voicePieces))
  return path
}
