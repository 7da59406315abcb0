import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeWavHeader } from '@parlando/core/audio'
import { tone } from '../../audio/computed-sounds.ts'
import { findProgram } from '../../programs/installed-programs.ts'
import { freePort } from '../../servers/addresses.ts'
import { endWithProcess } from './end-with-process.ts'

/** A real MPD. */
export interface Mpd {
  /** Such as `127.0.0.1:26600`. */
  address: string
  port: number
  /** Where its music is. It knows a new file after `mpc('update', '--wait')`. */
  music: string
  /** Runs `mpc`. @returns what it prints. */
  mpc(...args: string[]): Promise<string>
  /** Plays a minute of a tone as music. */
  playMusic(hertz: number): Promise<void>
  start(): Promise<void>
  /** Ends it as a power failure does. */
  kill(): Promise<void>
  close(): Promise<void>
}

const musicSeconds = 60
const rate = { sampleRateHertz: 44_100 }

export interface MpdOptions {
  /** Of a sound server, on which it plays. Default: it plays without a sound device. */
  environment?: NodeJS.ProcessEnv
  /** Without it, MPD allows nothing. Default: none. */
  password?: string
}

export async function startMpd({ environment, password = '' }: MpdOptions = {}): Promise<Mpd> {
  const folder = await mkdtemp(join(tmpdir(), 'mpd-'))
  const music = join(folder, 'music')
  await mkdir(music)
  const port = await freePort()
  const settings = join(folder, 'settings')
  await writeFile(
    settings,
    settingsOf({ folder, music, port, password, output: environment ? 'pulse' : 'null' }),
  )
  let child: ChildProcess | undefined
  const host = `${password && `${password}@`}127.0.0.1`
  const mpc = async (...args: string[]) => {
    const options = ['--host', host, '--port', String(port), ...args]
    return (await promisify(execFile)('mpc', options)).stdout
  }
  const isReady = () =>
    mpc('status').then(
      () => true,
      () => false,
    )
  const mpd: Mpd = {
    address: `127.0.0.1:${port}`,
    port,
    music,
    mpc,
    async playMusic(hertz) {
      const data = tone({ seconds: musicSeconds, hertz, ...rate })
      const header = writeWavHeader({ ...rate, dataBytes: data.length })
      await writeFile(join(music, `${hertz}.wav`), Buffer.concat([header, data]))
      await mpc('update', '--wait')
      await mpc('add', `${hertz}.wav`)
      await mpc('play')
    },
    async start() {
      const options = ['--no-daemon', '--stderr', settings]
      child = endWithProcess(
        spawn(findProgram('mpd')!, options, { env: environment, stdio: 'ignore' }),
      )
      while (!(await isReady())) {
        if (child.exitCode !== null) throw new Error(`mpd exited with ${child.exitCode}`)
        await delay(20)
      }
    },
    async kill() {
      const exited = once(child!, 'exit')
      child!.kill('SIGKILL')
      await exited
    },
    async close() {
      if (child?.exitCode === null && child.signalCode === null) await mpd.kill()
      await rm(folder, { recursive: true })
    },
  }
  await mpd.start()
  return mpd
}

interface MpdPlace {
  folder: string
  music: string
  port: number
  password: string
  output: 'pulse' | 'null'
}

function settingsOf({ folder, music, port, password, output }: MpdPlace): string {
  const permissions = 'read,add,control,admin'
  const secrets = password && `password "${password}@${permissions}"\ndefault_permissions ""\n`
  return `bind_to_address "127.0.0.1"
port "${port}"
zeroconf_enabled "no"
music_directory "${music}"
db_file "${join(folder, 'database')}"
state_file "${join(folder, 'state')}"
${secrets}audio_output {
  type "${output}"
  name "judge"
  mixer_type "software"
}
`
}
