import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { writeWavHeader } from '@parlando/core/audio'
import { tone } from '../../audio/computed-sounds.ts'
import { findProgram } from '../../programs/installed-programs.ts'
import { freePort } from '../../servers/addresses.ts'

/** A real Mopidy with its MPD server, which plays on the sound server of an environment. */
export interface Mopidy {
  /** Of its MPD server, such as `127.0.0.1:26600`. */
  address: string
  /** Runs `mpc`. @returns what it prints. */
  mpc(...args: string[]): Promise<string>
  /** Plays a minute of a tone as music. */
  playMusic(hertz: number): Promise<void>
  close(): Promise<void>
}

const rate = { sampleRateHertz: 44_100 }

export async function startMopidy(environment: NodeJS.ProcessEnv): Promise<Mopidy> {
  const folder = await mkdtemp(join(tmpdir(), 'mopidy-'))
  const port = await freePort()
  const settings = join(folder, 'mopidy.conf')
  await writeFile(
    settings,
    `[core]
cache_dir = ${folder}
config_dir = ${folder}
data_dir = ${folder}
[audio]
output = pulsesink
mixer_volume = 80
[mpd]
hostname = 127.0.0.1
port = ${port}
zeroconf =
[http]
enabled = false
[file]
media_dirs = ${folder}
`,
  )
  const options = ['--config', settings, '--quiet']
  const child: ChildProcess = spawn(findProgram('mopidy')!, options, {
    env: environment,
    stdio: 'ignore',
  })
  const mpc = async (...args: string[]) => {
    const connection = ['--host', '127.0.0.1', '--port', String(port)]
    return (await promisify(execFile)('mpc', [...connection, ...args])).stdout
  }
  const isReady = () =>
    mpc('status').then(
      () => true,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`mopidy exited with ${child.exitCode}`)
    await delay(100)
  }
  return {
    address: `127.0.0.1:${port}`,
    mpc,
    async playMusic(hertz) {
      const data = tone({ seconds: 60, hertz, ...rate })
      const file = join(folder, `${hertz}.wav`)
      const header = writeWavHeader({ ...rate, dataBytes: data.length })
      await writeFile(file, Buffer.concat([header, data]))
      await mpc('add', `file://${file}`)
      await mpc('play')
    },
    async close() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}
