import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
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

/** A PulseAudio server of the test's own, whose sound devices play into nothing but can be recorded. */
export interface Pulse {
  /** The variables with which a program plays on this server. */
  environment: NodeJS.ProcessEnv
  /** Records a mix of all devices. Resolves when the recording has begun. */
  record(): Promise<Recording>
  /** Records each device, in the order of their names and by the same clock. */
  recordEach(): Promise<{ stop(): Promise<RecordedSound[]> }>
  /** Plays 16 kHz PCM to its end. A microphone that records the device hears it. */
  play(pcm: Buffer): Promise<void>
  stop(): Promise<void>
}

export interface Recording {
  /** Resolves when something was heard. */
  heard: Promise<void>
  /** Ends the recording after everything that was played until now. */
  stop(): Promise<RecordedSound>
}

const sink = 'speaker'
/** Where the device with several channels has each of them. */
const positions = ['front-left', 'front-right', 'rear-left', 'rear-right']
const startLimitMs = 10_000
const stopLimitMs = 5000

export interface PulseOptions {
  /** Whether a program plays at the volume that it had last, as on a desktop. Default: no. */
  remembersVolumes?: boolean
}

/** What records a speaker. */
export const pulsePrograms = ['pulseaudio', 'parec', 'pacat'] as const

/**
 * Starts the server without D-Bus, configuration and network; it also runs as root. It is ready within 0.1 s.
 * @param sinks The names of up to four devices. Default: one that programs use without its name.
 */
export async function startPulse(
  sinks: readonly string[] = [],
  options: PulseOptions = {},
): Promise<Pulse> {
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
  const channels = Math.max(1, sinks.length)
  const server = spawn('pulseaudio', serverArguments(socket, sinks, options), {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
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
    async record() {
      const { heard, stop } = await startRecording(clientEnvironment, 1)
      return { heard, stop: async () => (await stop())[0]! }
    },
    recordEach: () => startRecording(clientEnvironment, channels),
    async play(pcm) {
      const args = ['--raw', '--format=s16le', '--rate=16000', '--channels=1']
      const stdio: StdioOptions = ['pipe', 'ignore', 'inherit']
      const player = spawn('pacat', args, { env: clientEnvironment, stdio })
      player.stdin!.end(pcm)
      await once(player, 'exit')
    },
    async stop() {
      await end(server)
      process.off('exit', kill)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function serverArguments(
  socket: string,
  sinks: readonly string[],
  { remembersVolumes = false }: PulseOptions,
): string[] {
  // Without `norewinds`, a new stream rewrites a block that the recorder has already received, and its start is lost.
  const channels = Math.max(1, sinks.length)
  const map = sinks.length > 0 ? `channel_map=${positions.slice(0, channels).join(',')}` : ''
  const device = `module-null-sink sink_name=${sink} format=s16le rate=${recordingRateHertz} channels=${channels} ${map} norewinds=1`
  // One device with a channel for each of them, so that all have the same clock.
  const parts = sinks.flatMap((name, index) => [
    '--load',
    `module-remap-sink sink_name=${name} master=${sink} channels=1 channel_map=mono master_channel_map=${positions[index]} remix=no`,
  ])
  return [
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
    ...parts,
    ...(remembersVolumes ? ['--load', 'module-stream-restore'] : []),
    '--load',
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
  ]
}

/** @param channels 1: a mix of all devices. */
async function startRecording(env: NodeJS.ProcessEnv, channels: number) {
  const args = ['--raw', '--format=s16le', `--rate=${recordingRateHertz}`, `--channels=${channels}`]
  const map = channels > 1 ? [`--channel-map=${positions.slice(0, channels).join(',')}`] : []
  const recorder = spawn(
    'parec',
    [`--device=${sink}.monitor`, ...args, ...map, '--latency-msec=20'],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const frameBytes = 2 * channels
  const chunks: Buffer[] = []
  let recordedMs = 0
  let startedAt = Number.POSITIVE_INFINITY
  recorder.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    // The device makes a block when the first sample of the block is due, and the recorder receives it at once. It can only
    // arrive late: the earliest estimate is the best one.
    startedAt = Math.min(startedAt, performance.now() - recordedMs)
    recordedMs += (chunk.length / frameBytes / recordingRateHertz) * 1000
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
      const recorded = Buffer.concat(chunks)
      return Array.from({ length: channels }, (_channel, index) =>
        createRecordedSound(channelOf(recorded, index, channels), startedAt),
      )
    },
  }
}

function channelOf(frames: Buffer, index: number, channels: number): Buffer {
  if (channels === 1) return frames
  const samples = Buffer.alloc(2 * Math.floor(frames.length / (2 * channels)))
  for (let at = 0; at < samples.length; at += 2) {
    frames.copy(samples, at, at * channels + 2 * index, at * channels + 2 * index + 2)
  }
  return samples
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
