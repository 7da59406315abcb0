import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@parlando/core'
import { record } from '../support/recording.ts'
import { type Channel, openChannel } from './channel.ts'
import { houseFlow } from './flow.ts'
import type { FlowEvent } from './flow-event.ts'
import { type Program, startProgram } from './program.ts'

export type DeployKind = 'full' | 'flows' | 'nodes'

/** What a witness saw that should never happen. */
export interface Complaint {
  role: string
  kind: string
  text: string
}

/** A Node-RED with the flow of the house, and the services that it uses. */
export interface House {
  channel: Channel
  nodeRedUrl: string
  /** Deploys the flow anew; `nodes` and `flows` begin those alone anew that have been changed. */
  deploy(kind: DeployKind, changedNodes: readonly string[]): Promise<void>
  /** Ends the hosted service as somebody who updates it would, and starts it again. */
  restartHosted(): Promise<void>
  killHosted(): Promise<void>
  /** Kills the service of this device. @returns false when none runs. */
  killDevice(): boolean
  /** Ends all. @returns what was not as it should be. */
  close(): Promise<Ending>
}

export interface Ending {
  complaints: Complaint[]
  /** Lines that nobody should find in a log. */
  badLines: string[]
  /** Programs that did not end as they should. */
  badExits: string[]
  /** Processes that still ran. */
  leftProcesses: string[]
  /** Files that nobody needs any more. */
  leftFiles: string[]
}

// So long may it take until the service of this device has seen that Node-RED is gone.
const childEndMs = 2_000

const require = createRequire(import.meta.url)
const serviceProgram = require.resolve('@parlando/local-service/cli')
const nodeRedProgram = require.resolve('node-red/red.js')

export async function openHouse(onEvent: (event: FlowEvent) => void): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-soak-'))
  await mkdir(join(folder, 'tmp'))
  await writeFile(join(folder, 'complaints'), '')
  const channel = await openChannel(join(folder, 'channel'), onEvent)
  const badExits: string[] = []
  const services: Program[] = []

  const startService = async (role: string, port: number) => {
    const command = [serviceProgram, '--port', `${port}`, '--data-folder', join(folder, role)]
    const service = await startProgram({ role, folder, command, readyText: 'Speaking at' })
    services.push(service)
    return service
  }
  const end = async (program: Program, role: string) => {
    const how = await program.end('SIGTERM')
    if (how !== '0') badExits.push(`${role} ended with ${how}`)
  }

  const hostedPort = await freePort()
  const steadyPort = await freePort()
  const steadyUrl = `http://127.0.0.1:${steadyPort}`
  const steady = await startService('steady', steadyPort)
  let hosted = await startService('hosted', hostedPort)
  const recording = await recordVoice(steadyUrl, folder)
  const flow = houseFlow({ hostedUrl: `http://127.0.0.1:${hostedPort}`, steadyUrl, recording })
  const nodeRedUrl = `http://127.0.0.1:${await freePort()}`
  const nodeRed = await startNodeRed(flow, folder, nodeRedUrl)
  let deploys = 0

  return {
    channel,
    nodeRedUrl,
    async deploy(kind, changedNodes) {
      deploys += 1
      for (const node of flow as { id: string; name?: string }[]) {
        if (changedNodes.includes(node.id)) node.name = `of deploy ${deploys}`
      }
      const answer = await fetch(`${nodeRedUrl}/flows`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'Node-RED-Deployment-Type': kind,
          connection: 'close',
        },
        body: JSON.stringify(flow),
      })
      if (!answer.ok) throw new Error(`deploy: ${answer.status} ${await answer.text()}`)
    },
    async restartHosted() {
      await end(hosted, 'hosted')
      hosted = await startService('hosted', hostedPort)
    },
    async killHosted() {
      await hosted.end('SIGKILL')
      hosted = await startService('hosted', hostedPort)
    },
    killDevice() {
      const pid = channel.pids('device').at(-1)
      return pid !== undefined && kill(pid)
    },
    async close() {
      await end(nodeRed, 'node-red')
      await Promise.all([end(hosted, 'hosted'), end(steady, 'steady')])
      await setTimeout(childEndMs)
      const leftProcesses = channel.roles()
      channel.close()
      const ending = {
        complaints: await readComplaints(folder),
        badLines: [nodeRed, ...services].flatMap(({ bad }) => bad),
        badExits,
        leftProcesses,
        leftFiles: await findLeftFiles(folder),
      }
      await rm(folder, { recursive: true })
      return ending
    },
  }
}

async function startNodeRed(flow: object[], folder: string, url: string): Promise<Program> {
  const userFolder = join(folder, 'node-red')
  const settings = {
    uiHost: '127.0.0.1',
    uiPort: Number(new URL(url).port),
    flowFile: 'flows.json',
    credentialSecret: 'soak',
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false },
  }
  await mkdir(userFolder)
  await writeFile(join(userFolder, 'settings.js'), `module.exports = ${JSON.stringify(settings)}`)
  await writeFile(join(userFolder, 'flows.json'), JSON.stringify(flow))
  const command = [nodeRedProgram, '-u', userFolder, '-s', join(userFolder, 'settings.js')]
  return startProgram({ role: 'node-red', folder, command, readyText: 'Started flows' })
}

/** @returns the path of a recording to clone a voice from. */
async function recordVoice(baseUrl: string, folder: string): Promise<string> {
  const client = createClient({ baseUrl })
  const path = join(folder, 'guest.wav')
  await writeFile(path, await record(client))
  await client.close()
  return path
}

async function readComplaints(folder: string): Promise<Complaint[]> {
  const lines = (await readFile(join(folder, 'complaints'), 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Complaint)
}

/** What is temporary, and voices: all of them have been deleted. */
async function findLeftFiles(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true })
  return all.filter((path) => path.startsWith('tmp/') || path.includes('voices/'))
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/**
 * A port below those that the system gives to connections: one of these could take it while the service is away, even a
 * connection of a client that tries to reach it.
 */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  await new Promise((resolve) => server.close(resolve))
  return isFree ? port : freePort()
}
