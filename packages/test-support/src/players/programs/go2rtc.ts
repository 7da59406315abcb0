import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keys } from '../../secrets/keys.ts'
import { freePort } from '../../servers/addresses.ts'
import { endWithProcess } from './end-with-process.ts'

/** A go2rtc with the cameras `door`, which plays on a sound server, and `mute`, which has no speaker. */
export interface Go2rtc {
  address: string
  user: string
  password: string
  /** Ends it without a goodbye, and starts it again. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export const go2rtcLogin = { user: 'me', password: keys.service }
/** What the camera understands. */
export const cameraRateHertz = 8000

/** Starts a real go2rtc. @param program its path. */
export async function startRealGo2rtc(
  environment: NodeJS.ProcessEnv,
  program: string,
): Promise<Go2rtc> {
  const { user, password } = go2rtcLogin
  const folder = await mkdtemp(join(tmpdir(), 'go2rtc-'))
  const port = await freePort()
  const camera = join(folder, 'camera')
  const play = `pacat --raw --format=alaw --rate=${cameraRateHertz} --channels=1 --latency-msec=100`
  await writeFile(camera, `#!/bin/sh\nexec ${play}\n`, { mode: 0o755 })
  const settings = {
    api: { listen: `127.0.0.1:${port}`, username: user, password, local_auth: true },
    rtsp: { listen: `127.0.0.1:${await freePort()}` },
    webrtc: { listen: '' },
    streams: {
      door: [`exec:${camera}#backchannel=1#audio=pcma/${cameraRateHertz}`],
      mute: ['rtsp://127.0.0.1:2/x'],
    },
  }
  // JSON is YAML.
  await writeFile(join(folder, 'go2rtc.yaml'), JSON.stringify(settings))
  const address = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const start = async () => {
    const options = { cwd: folder, env: environment, stdio: 'ignore' } as const
    child = endWithProcess(spawn(program, ['-config', join(folder, 'go2rtc.yaml')], options))
    while (!(await fetch(address).catch(() => undefined))) await delay(50)
  }
  await start()
  return {
    ...{ address, user, password, kill, start },
    async close() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}
