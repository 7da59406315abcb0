import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createRecordedSound,
  isAudible,
  type RecordedSound,
  recordingRateHertz,
} from './recorded-sound.ts'

/** A PulseAudio server of the test's own, whose only sound device plays into nothing but can be recorded. */
export interface Pulse {
  /** The variables with which a program plays on this server. */
  environment: NodeJS.ProcessEnv
  /** Resolves when the recording has begun. */
  record(): Promise<Recording>
  stop(): Promise<void>
}

export interface Recording {
  /** Resolves when something was heard. */
  heard: Promise<void>
  /** Ends the recording after everything that was played until now. */
  stop(): Promise<RecordedSound>
}

const sink = 'speaker'
const startLimitMs = 10_000
const stopLimitMs = 5000

/** What records a speaker. */
export const pulsePrograms = ['pulseaudio', 'parec', 'pacat'] as const

/** Starts the server without D-Bus, configuration and network; it also runs as root. It is ready within 0.1 s. */
export async function startPulse(): Promise<Pulse> {
  const folder = await mkdtemp(join(tmpdir(), 'pulse-'))
  const socket = join(folder, 'socket')
  const environment = {
    ...process.env,
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    XDG_CONFIG_HOME: folder,
    PULSE_RUNTIME_PATH: folder,
    PULSE_STATE_PATH: folder,
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
    DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nonexistent',
  }
  // Without `norewinds`, a new stream rewrites a block that the recorder has already received, and its start is lost.
  const device = `module-null-sink sink_name=${sink} format=s16le rate=${recordingRateHertz} channels=1 norewinds=1`
  const server = spawn(
    'pulseaudio',
    [
      '-n',
      '--daemonize=no',
      '--use-pid-file=no',
      '--exit-idle-time=-1',
      '--disable-shm=yes',
      '--realtime=no',
      '--high-priority=no',
      '--log-target=stderr',
      '--log-level=error',
      '--load',
      device,
      '--load',
      `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    ],
    { env: environment, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  // Also when a benchmark is interrupted.
  const kill = () => server.kill()
  process.once('exit', kill)
  let errors = ''
  server.stderr.on('data', (data) => {
    errors += data
  })
  const limit = AbortSignal.timeout(startLimitMs)
  while (!existsSync(socket)) {
    if (server.exitCode !== null || limit.aborted) {
      throw new Error(`pulseaudio did not start: ${errors}`)
    }
    await delay(10)
  }
  const clientEnvironment = { ...environment, PULSE_SERVER: `unix:${socket}` }
  return {
    environment: clientEnvironment,
    record: () => startRecording(clientEnvironment),
    async stop() {
      await end(server)
      process.off('exit', kill)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startRecording(env: NodeJS.ProcessEnv): Promise<Recording> {
  const args = ['--raw', '--format=s16le', `--rate=${recordingRateHertz}`, '--channels=1']
  const recorder = spawn('parec', [`--device=${sink}.monitor`, ...args, '--latency-msec=20'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  let recordedMs = 0
  let startedAt = Number.POSITIVE_INFINITY
  recorder.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    // The device makes a block when the first sample of the block is due, and the recorder receives it at once. It can only
    // arrive late: the earliest estimate is the best one.
    startedAt = Math.min(startedAt, performance.now() - recordedMs)
    recordedMs += (chunk.length / 2 / recordingRateHertz) * 1000
  })
  const heard = new Promise<void>((resolve) => {
    recorder.stdout.on('data', (chunk: Buffer) => isAudible(chunk) && resolve())
  })
  await once(recorder.stdout, 'data')
  return {
    heard,
    async stop() {
      const until = performance.now()
      while (startedAt + recordedMs < until && performance.now() < until + stopLimitMs) {
        await delay(5)
      }
      const closed = once(recorder.stdout, 'close')
      await end(recorder)
      await closed
      return createRecordedSound(Buffer.concat(chunks), startedAt)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
