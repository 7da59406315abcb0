import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { requireInCI } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  expectAnnounced,
  expectStopped,
  type PlayerFlow,
  place,
  startPlayerFlow,
} from './player-flow.ts'

const folders = (process.env['PATH'] ?? '').split(delimiter)
/** Only the nightly workflow installs it, since no test of a merge needs it. */
const missing = folders.some((folder) => existsSync(join(folder, 'vlc'))) ? [] : ['vlc-bin']
requireInCI(missing)
const needsVlc = { skip: missing.length > 0, meta: { missing } }

describe('the messages for VLC, through a tcp request node', needsVlc, () => {
  let pulse: Pulse
  let vlc: ChildProcess | undefined
  let flow: PlayerFlow
  beforeAll(async () => {
    pulse = await startPulse()
    const port = await freePort()
    vlc = await startVlc(port, pulse.environment)
    const request = { type: 'tcp request', out: 'time', splitc: '500', ret: 'string', newline: '' }
    flow = await startPlayerFlow('vlc', [
      { ...place, ...request, id: 'player', server: '127.0.0.1', port: String(port), wires: [[]] },
    ])
  })
  afterAll(async () => {
    await flow?.close()
    if (vlc) await end(vlc)
    await pulse?.stop()
  })

  it('play an announcement to its end, which its length decides', () =>
    expectAnnounced(flow, pulse, 'duration'))

  it('stop an announcement', () => expectStopped(flow, pulse))
})

/** VLC with its remote control on a port. */
async function startVlc(port: number, environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const { asUser, env } = await asOtherUser(environment)
  const vlc = ['vlc', '-I', 'rc', '--rc-host', `127.0.0.1:${port}`, '--aout', 'pulse']
  const [program, ...options] = [...asUser, ...vlc]
  const child = spawn(program!, options, { env, stdio: 'ignore' })
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error('VLC did not start: apt-get install vlc-bin')
    await delay(50)
  }
  return child
}

/** VLC does not run as root. Under another number of its own, root reaches the sound server only over TCP. */
async function asOtherUser(environment: NodeJS.ProcessEnv) {
  if (process.getuid?.() !== 0) return { asUser: [], env: environment }
  const port = await freePort()
  const settings = [`port=${port}`, 'listen=127.0.0.1', 'auth-anonymous=1']
  const options = ['load-module', 'module-native-protocol-tcp', ...settings]
  await promisify(execFile)('pactl', options, { env: environment })
  const asUser = ['unshare', '--user', '--map-user=1000']
  return { asUser, env: { ...environment, PULSE_SERVER: `tcp:127.0.0.1:${port}` } }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}
