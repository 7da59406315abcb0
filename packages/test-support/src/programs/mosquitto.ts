import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../servers/addresses.ts'
import { findProgram } from './installed-programs.ts'

export interface Mosquitto {
  port: number
  close(): Promise<void>
}

/** Starts a real MQTT broker on a free port of this machine. @returns `undefined` if no broker is installed. */
export async function startMosquitto(): Promise<Mosquitto | undefined> {
  const program = findProgram('mosquitto')
  if (!program) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'parlando-mosquitto-'))
  const port = await freePort()
  const settings = join(folder, 'mosquitto.conf')
  await writeFile(settings, `listener ${port} 127.0.0.1\nallow_anonymous true\n`)
  const child = spawn(program, ['-c', settings], { stdio: 'ignore' })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`mosquitto exited with code ${child.exitCode}`)
    await setTimeout(20)
  }
  return {
    port,
    async close() {
      child.kill()
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
