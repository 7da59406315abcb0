import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findProgram } from '../../programs/installed-programs.ts'
import { endWithProcess } from './end-with-process.ts'

/** A real player of Squeezebox, which plays on the sound server of an environment. */
export interface Squeezelite {
  start(): void
  /** Ends it as a power failure does. */
  kill(): Promise<void>
}

export interface SqueezeliteOptions {
  environment: NodeJS.ProcessEnv
  /** Of the server that it connects to on this machine. */
  port: number
  name: string
}

export function startSqueezelite({ environment, port, name }: SqueezeliteOptions): Squeezelite {
  let child: ChildProcess | undefined
  const player: Squeezelite = {
    start() {
      const options = ['-s', `127.0.0.1:${port}`, '-n', name, '-m', '00:04:20:00:00:01']
      // Without it, the player is two seconds ahead of what is heard.
      const env = { ...environment, PULSE_LATENCY_MSEC: '100' }
      child = endWithProcess(spawn(findProgram('squeezelite')!, options, { env, stdio: 'ignore' }))
    },
    async kill() {
      if (child?.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
  player.start()
  return player
}
