import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '@parlando/test-support/servers/addresses'
import { type Channel, openChannel } from './channel.ts'
import { systemFlow } from './flow.ts'
import type { FlowEvent } from './flow-event.ts'
import { findLeftoverFiles, type Incident, readIncidents } from './leftovers.ts'
import { startNodeRed } from './node-red-program.ts'
import type { Program } from './program.ts'
import { recordVoice, startService } from './service-program.ts'

export type DeployKind = 'full' | 'flows' | 'nodes'

/** The system under test: Node-RED with the flow, and the services that the flow uses. */
export interface System {
  channel: Channel
  nodeRedUrl: string
  /** The address of the service that no fault restarts. */
  steadyUrl: string
  /** Deploys the flow again. `nodes` and `flows` restart only what has changed. */
  deploy(kind: DeployKind, changedNodes: readonly string[]): Promise<void>
  /** Stops the hosted service with SIGTERM, as an update does, and starts it again. */
  restartHosted(): Promise<void>
  killHosted(): Promise<void>
  /** Kills the service of this device. @returns false if it does not run. */
  killDevice(): boolean
  /** Stops all programs. @returns everything that went wrong. */
  close(): Promise<Ending>
}

export interface Ending {
  incidents: Incident[]
  /** Log lines that report an error or a warning. */
  badLines: string[]
  /** Programs that did not exit with code 0. */
  badExits: string[]
  /** Processes that still run. */
  leftoverProcesses: string[]
  /** Files that the programs should have deleted. */
  leftoverFiles: string[]
}

// The service of this device needs time to notice that Node-RED has exited.
const childEndMs = 2_000

export async function startSystem(onEvent: (event: FlowEvent) => void): Promise<System> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-soak-'))
  await mkdir(join(folder, 'tmp'))
  await writeFile(join(folder, 'incidents'), '')
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
  const flow = systemFlow({ hostedUrl: `http://127.0.0.1:${hostedPort}`, steadyUrl, recording })
  const nodeRedUrl = `http://127.0.0.1:${await freePort()}`
  const nodeRed = await startNodeRed(flow, folder, nodeRedUrl)
  let deploys = 0

  return {
    channel,
    nodeRedUrl,
    steadyUrl,
    async deploy(kind, changedNodes) {
      deploys += 1
      for (const node of flow as { id: string; name?: string }[]) {
        if (changedNodes.includes(node.id)) node.name = `of deploy ${deploys}`
      }
      const response = await fetch(`${nodeRedUrl}/flows`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'Node-RED-Deployment-Type': kind,
          connection: 'close',
        },
        body: JSON.stringify(flow),
      })
      if (!response.ok) throw new Error(`deploy: ${response.status} ${await response.text()}`)
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
      const leftoverProcesses = channel.roles()
      channel.close()
      const ending = {
        incidents: await readIncidents(folder),
        badLines: [nodeRed, ...services].flatMap(({ bad }) => bad),
        badExits,
        leftoverProcesses,
        leftoverFiles: await findLeftoverFiles(folder),
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
