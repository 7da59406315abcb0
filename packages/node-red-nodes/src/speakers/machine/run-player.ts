import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { writeWavHeader } from '@parlando/core/audio'
import { unlessAborted } from '../../shared/unless-aborted.ts'
import { applyGain } from '../../sounds/gain.ts'
import type { Sound } from '../../sounds/sound.ts'
import type { InstalledPlayer } from './installed-players.ts'
import { fileVariable } from './players.ts'

/** Why a player did not play a sound to its end: it found no device, it hung, or it ended in the middle. */
export type PlayerProblem = 'not opened' | 'stalled' | 'ended early'

export class PlayerFailure extends Error {
  readonly problem: PlayerProblem

  constructor(problem: PlayerProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

export interface RunOptions {
  signal: AbortSignal
  /** 0 to 100: percent of the amplitude. */
  volume: number
  environment: NodeJS.ProcessEnv
  /** How long a player may take none of the sound, or run longer than the sound lasts. */
  stallLimitMs: number
  /** Called when the player receives the first bytes. */
  onFirstSound(): void
}

/** A player that finds no device exits within this time, most of them after 100 ms. */
const openLimitMs = 1000
/** How much sooner than the duration of the sound a player may exit. */
const earlyExitMs = 300
const killAfterMs = 300
const stderrAfterExitMs = 100
const maxStderrCharacters = 2000
/** A third of a second of PCM at 24 kHz, so that each piece shows that the player still takes the sound. */
const pieceBytes = 16_384

/**
 * Plays a sound with one player. Neither its process nor a file remains afterwards.
 * @throws {PlayerFailure} when the player did not play the sound to its end.
 * @throws The reason of the signal, or the error of the sound.
 */
export async function runPlayer(
  player: InstalledPlayer,
  sound: Sound,
  options: RunOptions,
): Promise<void> {
  options.signal.throwIfAborted()
  if (player.input === 'stream') return runProcess(player, sound, options)
  const folder = await mkdtemp(join(tmpdir(), 'parlando-'))
  try {
    const file = join(folder, 'sound.wav')
    await writeFile(file, await wavOf(sound, options), { mode: 0o600 })
    await runProcess(player, sound, options, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Passes the sound through standard input, or as a file if there is one. */
async function runProcess(
  player: InstalledPlayer,
  sound: Sound,
  options: RunOptions,
  file?: string,
): Promise<void> {
  const { signal, volume, stallLimitMs, onFirstSound } = options
  const args = player.args(volume)
  const child = spawn(player.path, file ? [...args, file] : args, {
    env: { ...options.environment, ...(file && { [fileVariable]: file }) },
    stdio: [file ? 'ignore' : 'pipe', 'ignore', 'pipe'],
    windowsHide: true,
  })
  const readStderr = collectStderr(child)
  const stop = new AbortController()
  const running = AbortSignal.any([signal, stop.signal])
  const exited = waitForExit(child).finally(() => stop.abort())
  let startedAt: number | undefined
  const elapsedMs = () => performance.now() - (startedAt ?? performance.now())
  const begin = () => {
    if (startedAt !== undefined) return
    startedAt = performance.now()
    onFirstSound()
  }

  let stall: PlayerFailure | undefined
  /** Waits for a sign of life of the player. */
  const within = async (limitMs: number, work: Promise<unknown>) => {
    const timer = setTimeout(() => {
      stall = new PlayerFailure('stalled', `${player.program} hung, and was ended`)
      stop.abort()
    }, limitMs)
    await work.finally(() => clearTimeout(timer))
  }

  let failure: unknown
  let wasSent = false
  try {
    if (file) begin()
    else {
      await waitForLead(sound, player.leadMs, running)
      for await (const piece of piecesOf(sound, volume, running)) {
        const stdin = child.stdin as Writable
        const hasRoom = stdin.write(piece)
        begin()
        if (!hasRoom) await within(stallLimitMs, once(stdin, 'drain', { signal: running }))
      }
      child.stdin?.end()
    }
    wasSent = true
    const remainingMs = Math.max(0, (sound.durationSeconds ?? 0) * 1000 - elapsedMs())
    await within(remainingMs + stallLimitMs, unlessAborted(exited, running))
  } catch (error) {
    // An exit ends the work above by an abort, and says itself what happened.
    if (!running.aborted) failure = error
  }
  const exit = await terminate(child, exited)
  signal.throwIfAborted()
  if (stall) throw stall
  if (failure) throw failure

  const playedMs = elapsedMs()
  const durationMs = (sound.durationSeconds ?? 0) * 1000
  const wasPlayed = wasSent && playedMs >= durationMs - earlyExitMs
  const printed = readStderr()
  if (exit === 'exit code 0' && wasPlayed && !player.failureOutput?.test(printed)) return
  throw new PlayerFailure(
    playedMs < openLimitMs ? 'not opened' : 'ended early',
    `${player.program}: ${lastLine(printed) || exit}`,
  )
}

async function* piecesOf(
  sound: Sound,
  volume: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of scaledChunks(sound, volume, signal)) {
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
  }
}

function scaledChunks(
  sound: Sound,
  volume: number,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const chunks = sound.read(signal)
  // Players of other formats scale the sound themselves.
  return sound.format.audioEncoding === 'PCM' ? applyGain(chunks, volume / 100) : chunks
}

async function wavOf(sound: Sound, { volume, signal }: RunOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of scaledChunks(sound, volume, signal)) chunks.push(chunk)
  const samples = Buffer.concat(chunks)
  const { sampleRateHertz } = sound.format
  return Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes: samples.length }), samples])
}

async function waitForLead(sound: Sound, leadMs: number, signal: AbortSignal): Promise<void> {
  if (leadMs === 0) return
  for await (const _ of sound.read(signal)) {
    if ((sound.durationSeconds ?? 0) * 1000 >= leadMs) return
  }
}

/** @returns a function that reads the last characters which the process has printed. */
function collectStderr(child: ChildProcess): () => string {
  let printed = ''
  child.stderr?.on('data', (data) => {
    printed = (printed + data).slice(-maxStderrCharacters)
  })
  return () => printed
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)!.trim()
}

/** Resolves with a description of how the process ended, once it has printed everything. */
function waitForExit(child: ChildProcess): Promise<string> {
  // A player may exit while it is being fed; its exit is what counts.
  child.stdin?.on('error', () => {})
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      const exit = signal ? `signal ${signal}` : `exit code ${code}`
      // A process that the player started may keep its output open.
      const limit = setTimeout(() => resolve(exit), stderrAfterExitMs)
      child.once('close', () => {
        clearTimeout(limit)
        resolve(exit)
      })
    })
  })
}

async function terminate(child: ChildProcess, exited: Promise<string>): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  return exited.finally(() => clearTimeout(kill))
}
