import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '@parlando/test-support/free-port'
import { type Channel, openChannel } from './channel.ts'
import { houseFlow } from './flow.ts'
import type { FlowEvent } from './flow-event.ts'
import { startNodeRed } from './node-red-program.ts'
import type { Program } from './program.ts'
import { type Complaint, findLeftFiles, readComplaints } from './remains.ts'
import { recordVoice, startService } from './service-program.ts'

export type DeployKind = 'full' | 'flows' | 'nodes'

/** A Node-RED with the flow of the soak test, and its services. */
export interface House {
  channel: Channel
  nodeRedUrl: string
  /** Deploys the flow; `nodes` and `flows` restart only the changed ones. */
  deploy(kind: DeployKind, changedNodes: readonly string[]): Promise<void>
  /** Restarts the hosted service, as for an update. */
  restartHosted(): Promise<void>
  killHosted(): Promise<void>
  /** Kills the service of this device. @returns false if none is running. */
  killDevice(): boolean
  /** Stops everything. @returns the problems. */
  close(): Promise<Ending>
}

export interface Ending {
  complaints: Complaint[]
  /** Unexpected log lines. */
  badLines: string[]
  /** Programs with an unexpected exit. */
  badExits: string[]
  /** Processes that were still running. */
  leftProcesses: string[]
  /** Files that were left behind. */
  leftFiles: string[]
}

// The time in which the service of this device must notice that Node-RED has exited.
const childEndMs = 2_000

export async function openHouse(onEvent: (event: FlowEvent) => void): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-soak-'))
  await mkdir(join(folder, 'tmp'))
  await writeFile(join(folder, 'complaints'), '')
  const channel = await openChannel(join(folder, 'channel'), onEvent)
  const badExits: string[] = []
  const services: Program[] = []

  const start = async (role: string, port: number) => {
    const service = await startService(role, folder, port)
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
  const steady = await start('steady', steadyPort)
  let hosted = await start('hosted', hostedPort)
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
      hosted = await start('hosted', hostedPort)
    },
    async killHosted() {
      await hosted.end('SIGKILL')
      hosted = await start('hosted', hostedPort)
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

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
