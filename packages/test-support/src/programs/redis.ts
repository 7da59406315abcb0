import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from '../servers/addresses.ts'
import { findProgram } from './installed-programs.ts'

export interface Redis {
  port: number
  /** Without the password. */
  url: string
  /** Stops the process: connections stay open, and nothing responds. */
  pause(): void
  resume(): void
  /** Changes how much memory it may use: with less than it uses, it is full; with 0, there is no limit. */
  limitMemory(bytes: number): Promise<void>
  close(): Promise<void>
}

export interface RedisSettings {
  password?: string
  /** With it, the server deletes what it may delete. */
  maxMemoryBytes?: number
  /** What it deletes to make room. Default: whatever was not used for longest. */
  policy?: 'allkeys-lru' | 'volatile-lru'
  port?: number
  /** Where it keeps its data for the next start. Default: it writes nothing to the disk. */
  folder?: string
  /** How long it waits after each command of the folder that it loads. */
  loadDelayMicroseconds?: number
}

/** Starts a real Redis on this machine. It must be installed. */
export async function startRedis(settings: RedisSettings = {}): Promise<Redis> {
  const {
    password,
    maxMemoryBytes,
    policy = 'allkeys-lru',
    port = await freePort(),
    folder,
    loadDelayMicroseconds = 0,
  } = settings
  const options = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', ''],
    ...(folder ? ['--dir', folder, '--appendonly', 'yes'] : ['--appendonly', 'no']),
    ...(loadDelayMicroseconds ? ['--key-load-delay', String(loadDelayMicroseconds)] : []),
    ...(password ? ['--requirepass', password] : []),
    ...(maxMemoryBytes
      ? ['--maxmemory', String(maxMemoryBytes), '--maxmemory-policy', policy]
      : []),
  ]
  const child = spawn(findProgram('redis-server')!, options, {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  let log = ''
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    log += text
    if (log.includes('Ready to accept connections')) break
  }
  child.stdout.resume()
  if (child.exitCode !== null) throw new Error(`redis-server has ended: ${log}`)
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    limitMemory: (bytes) => send(port, `CONFIG SET maxmemory ${bytes}`),
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Sends a command to a Redis without a password. */
async function send(port: number, command: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${command}\r\n`)
  const [response] = await once(socket.setEncoding('utf8'), 'data')
  socket.destroy()
  if (response !== '+OK\r\n') throw new Error(`redis-server responds to ${command}: ${response}`)
}
