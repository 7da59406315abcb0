import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { wholeSamples } from '@parlando/core/audio'
import { collectStderr, lastLine, terminate, waitForExit } from '../../programs/child-process.ts'
import { findProgram } from '../../programs/find-program.ts'
import { machineKind, soundEnvironment, words } from '../../programs/this-machine.ts'
import type { Texts } from '../../runtime/texts.ts'
import { MicrophoneError, sampleRateHertz } from '../microphone-recording.ts'

/** A program that writes what it records to its standard output, without a header. */
export interface RecorderProgram {
  program: string
  /** @param device the name of the sound device; empty: that of the system. */
  args(device: string): string[]
}

const option = (name: string, device: string) => (device ? [`--${name}=${device}`] : [])
const format = `--channels=1 --rate=${sampleRateHertz}`

/** The recorders in the order of preference: the server of the desktop, which shares the device, before the bare device. */
const recorders: readonly RecorderProgram[] = [
  {
    program: 'parec',
    // With the default latency of 2 s, the sound arrives in large pieces.
    args: (device) => [
      ...option('device', device),
      ...words(`--raw --format=s16le ${format} --latency-msec=20 --client-name=Parlando`),
    ],
  },
  {
    program: 'pw-record',
    args: (device) => [
      ...option('target', device),
      ...words(`--raw --format=s16 ${format} --latency=20ms -`),
    ],
  },
  {
    program: 'arecord',
    args: (device) => [
      ...option('device', device),
      // The time is in microseconds.
      ...words(`--quiet --file-type=raw --format=S16_LE ${format} --period-time=20000`),
    ],
  },
]

export interface RecordOptions {
  /** The texts of the microphone node. */
  RED: Texts
  /** The name of the sound device; empty: that of the system. */
  device: string
  /** Ends the recording. */
  signal: AbortSignal
  /** Receives whole samples. */
  onPcm(pcm: Buffer): void
  /** Default: the environment of Node-RED. */
  environment?: NodeJS.ProcessEnv
  /** How long a recorder may send nothing. Default: 5 s. */
  stallLimitMs?: number
}

/** Why a recorder ended before the recording was ended. */
class RecorderFailure extends Error {
  readonly hasRecorded: boolean

  constructor(program: string, detail: string, hasRecorded: boolean) {
    super(`${program}: ${detail}`)
    this.hasRecorded = hasRecorded
  }
}

/**
 * Records on the machine that runs Node-RED until the signal is aborted, with the programs that are installed there.
 * @throws {MicrophoneError} when no program records, or the one that did has ended.
 */
export async function record(options: RecordOptions): Promise<void> {
  const { RED } = options
  const environment = soundEnvironment(options.environment ?? process.env)
  const advice = RED._(`microphone.advice.${machineKind(environment)}`)
  const failures: RecorderFailure[] = []
  for (const recorder of recorders) {
    const path = await findProgram(recorder.program, environment)
    if (options.signal.aborted) return
    if (path === undefined) continue
    try {
      return await runRecorder(path, recorder, environment, options)
    } catch (error) {
      if (!(error instanceof RecorderFailure)) throw error
      failures.push(error)
      // Another program would not know what this one has recorded.
      if (error.hasRecorded) break
    }
  }
  const reasons = failures.map(({ message }) => message).join('; ')
  const key = failures.length === 0 ? 'no-recorder' : 'not-recorded'
  throw new MicrophoneError(RED._(`microphone.error.${key}`, { reasons, advice }))
}

/** Runs one recorder. Its process does not remain afterwards. @throws {RecorderFailure} when it ends by itself. */
async function runRecorder(
  path: string,
  { program, args }: RecorderProgram,
  env: NodeJS.ProcessEnv,
  { device, signal, onPcm, stallLimitMs = 5000 }: RecordOptions,
): Promise<void> {
  const child = spawn(path, args(device), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const readStderr = collectStderr(child)
  const exited = waitForExit(child)
  const stalled = new AbortController()
  const stall = setTimeout(() => stalled.abort(), stallLimitMs)
  let hasRecorded = false
  const whole = wholeSamples()
  child.stdout.on('data', (data: Buffer) => {
    if (signal.aborted) return
    stall.refresh()
    hasRecorded = true
    const { buffer, byteOffset, byteLength } = whole(data)
    if (byteLength > 0) onPcm(Buffer.from(buffer, byteOffset, byteLength))
  })
  const ended = AbortSignal.any([signal, stalled.signal])
  try {
    if (!ended.aborted) await Promise.race([exited, once(ended, 'abort')])
  } finally {
    clearTimeout(stall)
  }
  const exit = await terminate(child, exited)
  if (signal.aborted) return
  const detail = stalled.signal.aborted ? 'no sound' : lastLine(readStderr()) || exit
  throw new RecorderFailure(program, detail, hasRecorded)
}
