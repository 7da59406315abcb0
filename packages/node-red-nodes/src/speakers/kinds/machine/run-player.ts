import { spawn } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { writeWavHeader } from '@parlando/core/audio'
import { collectStderr, lastLine, terminate, waitForExit } from '../../../programs/child-process.ts'
import { unlessAborted, withinTime } from '../../../runtime/wait.ts'
import { applyGain } from '../../../sounds/gain.ts'
import type { Sound } from '../../../sounds/sound.ts'
import { fileVariable, type InstalledPlayer } from './players.ts'

/** Why a player did not play a sound to its end: it found no device, it hung, or it ended in the middle. */
export type PlayerProblem = 'not opened' | 'stalled' | 'ended early'

export class PlayerFailure extends Error {
  readonly problem: PlayerProblem
  readonly program: string

  /** @param detail what the player printed, or how it ended. */
  constructor(problem: PlayerProblem, program: string, detail: string) {
    super(`${program}: ${detail}`)
    this.problem = problem
    this.program = program
  }
}

function stalled({ program }: InstalledPlayer): PlayerFailure {
  return new PlayerFailure('stalled', program, 'no progress')
}

export interface RunOptions {
  signal: AbortSignal
  /** 0 to 100: percent of the amplitude. */
  volume: number
  /** Default: an announcement. */
  isMusic?: boolean | undefined
  environment: NodeJS.ProcessEnv
  /** How long a player may take none of the sound, or run longer than the sound lasts. */
  stallLimitMs: number
  /** Called when the player receives the first bytes. */
  onFirstSound(): void
}

/** A player that finds no device exits within this time, most of them after 100 ms. */
const openLimitMs = 1000
/** How much sooner than the sound lasts a player may exit: some swallow its end, and the clocks of devices differ. */
const earlyExit = { ms: 100, share: 0.02 }
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
    await writeWav(file, sound, options)
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
  const { environment, signal, stallLimitMs, volume, isMusic = false } = options
  const child = spawn(player.path, player.args({ volume, file, isMusic }), {
    env: { ...environment, ...(file && { [fileVariable]: file }) },
    stdio: [file ? 'ignore' : 'pipe', 'ignore', 'pipe'],
    windowsHide: true,
  })
  const readStderr = collectStderr(child)
  const stop = new AbortController()
  const running = AbortSignal.any([signal, stop.signal])
  const exited = waitForExit(child).finally(() => stop.abort())
  const durationMs = () => (sound.durationSeconds ?? 0) * 1000
  let startedAt: number | undefined
  const elapsedMs = () => (startedAt === undefined ? 0 : performance.now() - startedAt)
  const onStart = () => {
    startedAt = performance.now()
    options.onFirstSound()
  }

  let failure: unknown
  let wasSent = false
  try {
    const feeding = { ...options, signal: running, onFirstSound: onStart }
    if (child.stdin) await feed(child.stdin, player, sound, feeding)
    else onStart()
    wasSent = true
    const restMs = Math.max(0, durationMs() - elapsedMs())
    await withinTime(restMs + stallLimitMs, unlessAborted(exited, running), () => stalled(player))
  } catch (error) {
    // The exit of the player aborts the work above, and is judged below.
    if (!running.aborted) failure = error
  }
  const exit = await terminate(child, exited)
  signal.throwIfAborted()
  if (failure) throw failure

  const minMs = durationMs() * (1 - earlyExit.share) - earlyExit.ms
  const wasPlayed = wasSent && elapsedMs() >= minMs
  const printed = readStderr()
  if (exit === 'exit code 0' && wasPlayed && !player.failureOutput?.test(printed)) return
  throw new PlayerFailure(
    elapsedMs() < openLimitMs ? 'not opened' : 'ended early',
    player.program,
    lastLine(printed) || exit,
  )
}

/** Writes the sound as it is made, and no faster than the player takes it. */
async function feed(
  input: Writable,
  player: InstalledPlayer,
  sound: Sound,
  { volume, signal, stallLimitMs, onFirstSound }: RunOptions,
): Promise<void> {
  await waitForLead(sound, player.leadMs, signal)
  let hasStarted = false
  for await (const piece of piecesOf(sound, volume, signal)) {
    const hasRoom = input.write(piece)
    if (!hasStarted) onFirstSound()
    hasStarted = true
    if (!hasRoom)
      await withinTime(stallLimitMs, unlessAborted(drained(input), signal), () => stalled(player))
  }
  input.end()
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

/** Writes the samples as they are made, and then the header, which states their number. */
async function writeWav(path: string, sound: Sound, options: RunOptions): Promise<void> {
  const { sampleRateHertz } = sound.format
  let position = writeWavHeader({ sampleRateHertz }).length
  const file = await open(path, 'w', 0o600)
  try {
    let dataBytes = 0
    for await (const chunk of scaledChunks(sound, options.volume, options.signal)) {
      await file.write(chunk, 0, chunk.length, position)
      position += chunk.length
      dataBytes += chunk.length
    }
    await file.write(writeWavHeader({ sampleRateHertz, dataBytes }), 0, undefined, 0)
  } finally {
    await file.close()
  }
}

async function waitForLead(sound: Sound, leadMs: number, signal: AbortSignal): Promise<void> {
  if (leadMs === 0) return
  for await (const _ of sound.read(signal)) {
    if ((sound.durationSeconds ?? 0) * 1000 >= leadMs) return
  }
}

/** Never rejects: a player that closes its input exits, and its exit says why. */
function drained(input: Writable): Promise<void> {
  return new Promise((resolve) => input.once('drain', resolve))
}
