import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findProgram } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'

/** An MPD that plays on a sound server, with a folder of music. */
export interface Mpd {
  port: number
  /** Where its music is. It knows a new file after `control('update', '--wait')`. */
  music: string
  /** Runs a command of its own client. @returns its output. */
  control(...command: string[]): Promise<string>
  /** Ends it without a goodbye. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export async function startMpd(environment: NodeJS.ProcessEnv): Promise<Mpd> {
  const folder = await mkdtemp(join(tmpdir(), 'mpd-'))
  const music = join(folder, 'music')
  await mkdir(music)
  const port = await freePort()
  const settings = join(folder, 'settings')
  await writeFile(
    settings,
    `bind_to_address "127.0.0.1"
port "${port}"
music_directory "${music}"
db_file "${join(folder, 'database')}"
state_file "${join(folder, 'state')}"
audio_output {
  type "pulse"
  name "judge"
  mixer_type "software"
}
`,
  )
  const control = async (...command: string[]) => {
    const options = ['--host', '127.0.0.1', '--port', String(port)]
    const { stdout } = await promisify(execFile)('mpc', [...options, ...command])
    return stdout
  }
  let mpd: ChildProcess = spawn('true')
  const kill = async () => {
    if (mpd.exitCode !== null || mpd.signalCode !== null) return
    const exited = once(mpd, 'exit')
    mpd.kill('SIGKILL')
    await exited
  }
  const start = async () => {
    const options = ['--no-daemon', '--stderr', settings]
    mpd = spawn(findProgram('mpd')!, options, { env: environment, stdio: 'ignore' })
    while ((await control('status').catch(() => '')) === '') await delay(50)
  }
  await start()
  return {
    port,
    music,
    control,
    kill,
    start,
    async close() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}
