import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { tone } from '../../audio/computed-sounds.ts'
import { findProgram } from '../../programs/installed-programs.ts'
import { freePort } from '../../servers/addresses.ts'
import { endWithProcess } from './end-with-process.ts'

/** The shortest that the server accepts. */
export const snapcastBufferMs = 400

export interface SnapcastOptions {
  environment: NodeJS.ProcessEnv
  /** The sound devices of PulseAudio, one for each client. */
  sinks: readonly string[]
  /** The stream that the clients play: the source of music, or a stream that prefers speech to it. Default: `House`. */
  stream?: 'House' | 'Music'
  /** How the clients play. With `pulse`, they crash when their stream changes. Default: `alsa`. */
  player?: 'pulse' | 'alsa'
}

interface Ports {
  stream: number
  control: number
  speech: number
  music: number
}

/** The groups of a server, as far as tests read them. */
export interface SnapcastGroupState {
  id: string
  stream_id: string
  muted: boolean
  clients: { connected: boolean; config: unknown }[]
}

/** Starts a real server with a source for speech and one for music, and clients that play them. */
export async function startSnapcast(options: SnapcastOptions): Promise<Snapcast> {
  const ports: Ports = {
    stream: await freePort(),
    control: await freePort(),
    speech: await freePort(),
    music: await freePort(),
  }
  const folder = await mkdtemp(join(tmpdir(), 'snapcast-'))
  await writeSettings(folder, ports, options)
  const snapcast = new Snapcast(folder, ports, options)
  await snapcast.start()
  await snapcast.startClients()
  return snapcast
}

export class Snapcast {
  /** Of the control connection, such as `127.0.0.1:21705`. */
  readonly address: string
  readonly #folder: string
  readonly #ports: Ports
  readonly #options: SnapcastOptions
  #server: ChildProcess | undefined
  #clients: ChildProcess[] = []
  #music: NodeJS.Timeout | undefined

  constructor(folder: string, ports: Ports, options: SnapcastOptions) {
    this.#folder = folder
    this.#ports = ports
    this.#options = options
    this.address = `127.0.0.1:${ports.control}`
  }

  /** Sends a request to the control connection. @returns its result. */
  async request(method: string, params: object = {}): Promise<unknown> {
    const socket = connect(this.#ports.control, '127.0.0.1')
    socket.write(`${JSON.stringify({ id: 1, jsonrpc: '2.0', method, params })}\r\n`)
    let received = ''
    for await (const data of socket) {
      received += data
      const lines = received.split('\n').slice(0, -1)
      const response = lines.map((line) => JSON.parse(line)).find(({ id }) => id === 1)
      if (response?.error) throw new Error(`${method}: ${response.error.message}`)
      if (response) return response.result
    }
    throw new Error(`${method}: the server has closed the connection`)
  }

  async groups(): Promise<SnapcastGroupState[]> {
    const result = (await this.request('Server.GetStatus')) as {
      server: { groups: SnapcastGroupState[] }
    }
    return result.server.groups
  }

  /** Plays a tone as music until the server ends. */
  async playMusic(hertz: number): Promise<void> {
    const socket = connect(this.#ports.music, '127.0.0.1')
    socket.on('error', () => clearInterval(this.#music))
    const second = stereo(tone({ seconds: 1, hertz, sampleRateHertz: 48_000 }))
    socket.write(second)
    this.#music = setInterval(() => socket.write(second), 1000)
  }

  async start(): Promise<void> {
    const program = findProgram('snapserver')!
    const settings = join(this.#folder, 'snapserver.conf')
    const env = this.#options.environment
    const server = endWithProcess(spawn(program, ['-c', settings], { env, stdio: 'ignore' }))
    this.#server = server
    while (!(await isListening(this.#ports.control))) {
      if (server.exitCode !== null) throw new Error(`snapserver exited with ${server.exitCode}`)
      await delay(20)
    }
    await this.#untilConnected()
  }

  async startClients(): Promise<void> {
    const { sinks, player = 'alsa', environment } = this.#options
    this.#clients = sinks.map((sink, index) => {
      const device = player === 'pulse' ? sink : 'pulse'
      const server = ['-h', '127.0.0.1', '-p', String(this.#ports.stream)]
      const options = ['--hostID', idOf(index), '--player', player, '-s', device]
      const env = { ...environment, PULSE_SINK: sink }
      const all = [...server, ...options, '--logsink', 'null']
      return endWithProcess(spawn(findProgram('snapclient')!, all, { env, stdio: 'ignore' }))
    })
    await this.#untilConnected()
  }

  /** Ends the server as a power failure does; the clients wait for it. */
  async kill(): Promise<void> {
    clearInterval(this.#music)
    await kill(this.#server!)
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map(kill))
    await this.kill()
    await rm(this.#folder, { recursive: true })
  }

  async #untilConnected(): Promise<void> {
    for (;;) {
      const clients = (await this.groups()).flatMap((group) => group.clients)
      const connected = clients.filter((client) => client.connected)
      if (connected.length >= this.#clients.length) return
      await delay(50)
    }
  }
}

async function writeSettings(folder: string, ports: Ports, options: SnapcastOptions) {
  const { sinks, stream = 'House' } = options
  const source = (port: number, name: string) =>
    `source = tcp://127.0.0.1:${port}?name=${name}&sampleformat=48000:16:2&codec=pcm`
  const sources = [source(ports.speech, 'Parlando'), source(ports.music, 'Music')]
  if (stream === 'House') sources.push('source = meta:///Parlando/Music?name=House&codec=pcm')
  await writeFile(
    join(folder, 'snapserver.conf'),
    `[server]
datadir = ${folder}
[http]
enabled = false
[tcp]
bind_to_address = 127.0.0.1
port = ${ports.control}
[stream]
bind_to_address = 127.0.0.1
port = ${ports.stream}
buffer = ${snapcastBufferMs}
${sources.join('\n')}
[logging]
sink = null
`,
  )
  // So that no client has to change its stream.
  const groups = sinks.map((_sink, index) => groupOf(idOf(index), stream))
  await writeFile(join(folder, 'server.json'), JSON.stringify({ ConfigVersion: 2, Groups: groups }))
}

const idOf = (index: number) => `client-${index + 1}`

/** A group of one client, as the server saves it. */
function groupOf(id: string, stream_id: string) {
  const volume = { muted: false, percent: 100 }
  const client = {
    id,
    connected: false,
    config: { instance: 1, latency: 0, name: '', volume },
    host: { arch: '', ip: '', mac: '', name: '', os: '' },
    lastSeen: { sec: 0, usec: 0 },
    snapclient: { name: '', protocolVersion: 2, version: '' },
  }
  return { id: `group-${id}`, name: '', muted: false, stream_id, clients: [client] }
}

function stereo(mono: Buffer): Buffer {
  const both = Buffer.alloc(2 * mono.length)
  for (let at = 0; at < mono.length; at += 2) {
    mono.copy(both, 2 * at, at, at + 2)
    mono.copy(both, 2 * at + 2, at, at + 2)
  }
  return both
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
