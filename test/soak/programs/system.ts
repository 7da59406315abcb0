import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Mpd, startMpd } from '@parlando/test-support/players/programs/mpd'
import { freePort } from '@parlando/test-support/servers/addresses'
import { systemFlow } from '../flow/flow.ts'
import type { FlowEvent } from '../messages/flow-event.ts'
import { type Channel, openChannel } from './channel.ts'
import { findLeftoverFiles, type Incident, readIncidents } from './leftovers.ts'
import { startNodeRed } from './node-red-program.ts'
import type { Program } from './program.ts'
import { recordVoice, startService } from './service-program.ts'
import { type Store, startStore } from './store-program.ts'

export type DeployKind = 'full' | 'flows' | 'nodes'

export interface Ending {
  incidents: Incident[]
  /** Log lines that report an error or a warning. */
  badLines: string[]
  /** Programs that did not exit with code 0. */
  badExits: string[]
  /** Processes that still run. */
  leftoverProcesses: string[]
  /** Files and voices that the programs should have deleted. */
  leftoverFiles: string[]
}

// The service of this device needs time to notice that Node-RED has exited.
const childEndMs = 2_000

export async function startSystem(onEvent: (event: FlowEvent) => void): Promise<System> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-soak-'))
  await mkdir(join(folder, 'tmp'))
  await writeFile(join(folder, 'incidents'), '')
  const channel = await openChannel(join(folder, 'channel'), onEvent)
  const store = await startStore(join(folder, 'redis'))
  const player = await startMpd()
  try {
    const places = { folder, storeUrl: store?.url, mpd: player.address }
    return new System({ folder, channel, store, player, ...(await startPrograms(places)) })
  } catch (error) {
    channel.close()
    await player.close()
    await store?.close()
    throw error
  }
}

interface Places {
  folder: string
  storeUrl: string | undefined
  /** The address of MPD. */
  mpd: string
}

async function startPrograms(places: Places) {
  const running: Program[] = []
  const started = async (starting: Promise<Program>) => {
    const program = await starting
    running.push(program)
    return program
  }
  try {
    return await startEach(places, started)
  } catch (error) {
    await Promise.all(running.map((program) => program.end('SIGKILL')))
    throw error
  }
}

/** @param started notes each program that has started. */
async function startEach(
  { folder, storeUrl, mpd }: Places,
  started: (starting: Promise<Program>) => Promise<Program>,
) {
  const hostedPort = await freePort()
  const steadyPort = await freePort()
  const hostedUrl = `http://127.0.0.1:${hostedPort}`
  const steadyUrl = `http://127.0.0.1:${steadyPort}`
  const start = (role: 'steady' | 'hosted', port: number) =>
    started(startService({ role, folder, port, storeUrl }))
  const steady = await start('steady', steadyPort)
  const hosted = await start('hosted', hostedPort)
  const recording = await recordVoice(steadyUrl, folder)
  const flow = systemFlow({ hostedUrl, steadyUrl, storeUrl, recording, mpd }) as Started['flow']
  const nodeRedUrl = `http://127.0.0.1:${await freePort()}`
  const nodeRed = await started(startNodeRed(flow, folder, nodeRedUrl))
  return { flow, nodeRedUrl, steadyUrl, hostedPort, programs: { nodeRed, steady, hosted } }
}

interface Started {
  folder: string
  channel: Channel
  /** Undefined if this machine has none. */
  store: Store | undefined
  /** Which plays the sounds of the speakers of kind MPD. */
  player: Mpd
  flow: { id: string; name?: string }[]
  nodeRedUrl: string
  steadyUrl: string
  hostedPort: number
  programs: Record<'nodeRed' | 'steady' | 'hosted', Program>
}

/** The system under test: Node-RED with the flow, the services that the flow uses, and the store that two of them share. */
export class System {
  readonly channel: Channel
  /** What the hosted and the steady service share. Undefined if this machine has no Redis. */
  readonly store: Store | undefined
  readonly nodeRedUrl: string
  /** The address of the service that no fault restarts. */
  readonly steadyUrl: string
  readonly #started: Started
  /** The one that runs now. */
  #hosted: Program
  /** All that have run. */
  readonly #programs: Program[]
  readonly #badExits: string[] = []
  #deploys = 0

  constructor(started: Started) {
    this.#started = started
    this.channel = started.channel
    this.store = started.store
    this.nodeRedUrl = started.nodeRedUrl
    this.steadyUrl = started.steadyUrl
    this.#hosted = started.programs.hosted
    this.#programs = Object.values(started.programs)
  }

  /** Deploys the flow again. `nodes` and `flows` restart only what has changed. */
  async deploy(kind: DeployKind, changedNodes: readonly string[]): Promise<void> {
    const { flow } = this.#started
    this.#deploys += 1
    for (const node of flow) {
      if (changedNodes.includes(node.id)) node.name = `of deploy ${this.#deploys}`
    }
    const response = await fetch(`${this.nodeRedUrl}/flows`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'Node-RED-Deployment-Type': kind,
        connection: 'close',
      },
      body: JSON.stringify(flow),
    })
    if (!response.ok) throw new Error(`deploy: ${response.status} ${await response.text()}`)
  }

  /** Stops the hosted service with SIGTERM, as an update does, and starts it again. */
  async restartHosted(): Promise<void> {
    await this.#end(this.#hosted, 'hosted')
    await this.#startHosted()
  }

  async killHosted(): Promise<void> {
    await this.#hosted.end('SIGKILL')
    await this.#startHosted()
  }

  /** Kills the service of this device. @returns false if it does not run. */
  killDevice(): boolean {
    const pid = this.channel.pids('device').at(-1)
    return pid !== undefined && kill(pid)
  }

  /** Stops all programs. @returns everything that went wrong. */
  async close(): Promise<Ending> {
    const { folder, player, programs } = this.#started
    await this.#end(programs.nodeRed, 'node-red')
    await Promise.all([this.#end(this.#hosted, 'hosted'), this.#end(programs.steady, 'steady')])
    await setTimeout(childEndMs)
    const leftoverProcesses = this.channel.roles()
    this.channel.close()
    await player.close()
    const sharedVoices = (await this.store?.voices()) ?? []
    await this.store?.close()
    const ending = {
      incidents: await readIncidents(folder),
      badLines: this.#programs.flatMap(({ bad }) => bad),
      badExits: this.#badExits,
      leftoverProcesses,
      leftoverFiles: [
        ...(await findLeftoverFiles(folder)),
        ...sharedVoices.map((voiceId) => `the voice ${voiceId} in the store`),
      ],
    }
    await rm(folder, { recursive: true })
    return ending
  }

  async #startHosted(): Promise<void> {
    const { folder, hostedPort: port } = this.#started
    const storeUrl = this.store?.url
    this.#hosted = await startService({ role: 'hosted', folder, port, storeUrl })
    this.#programs.push(this.#hosted)
  }

  async #end(program: Program, role: string): Promise<void> {
    const how = await program.end('SIGTERM')
    if (how !== '0') this.#badExits.push(`${role} ended with ${how}`)
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
