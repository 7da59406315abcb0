import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createFakeSpeaker, provideFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import type { Node } from 'node-red'
import { afterAll, beforeAll } from 'vitest'

const require = createRequire(import.meta.url)

export interface Status {
  fill?: string
  shape?: string
  text?: string
}

/** The result with which a node completed a message. */
export interface Done {
  node: string
  error?: Error & { code?: unknown; cause?: unknown }
}

export interface LogEntry {
  level: number
  id?: string
  type?: string
  msg: unknown
}

export type LiveNode = Node & { receive(message: object): void }

/** A complete Node-RED in this process, so that a test sees each `done` and every uncaught error. */
export interface LiveNodeRed {
  /** Replaces the running flows and waits. @returns whether the deploy has ended, and all `needed` nodes run. */
  deploy(flow: object[], needed?: string[]): Promise<boolean>
  node(id: string): LiveNode | undefined
  /** The results of this message, from each of our nodes that received it. */
  doneWith(message: object): Done[]
  /** How often the node with this id received the message. A flow can contain a loop. */
  timesReceived(message: object, id: string): number
  /** The messages that the node with this id has sent, in order. */
  sentBy(id: string): object[]
  /** The current status of the node with this id. */
  statusOf(id: string): Status | undefined
  /** The warnings and errors of the log. */
  readonly log: LogEntry[]
  /** Uncaught exceptions and unhandled rejections. */
  readonly uncaught: unknown[]
  /** Clears all messages, the log and the uncaught errors. */
  forget(): void
}

/** What a deploy on a busy machine never needs. */
const deployLimitMs = 15_000
const levels = { error: 20, warn: 30 }
const fatalEvents = ['uncaughtException', 'unhandledRejection'] as const

/** Starts Node-RED 5 for the tests of a file. */
export function useLiveNodeRed(): LiveNodeRed {
  const RED = require('node-red')
  let folder = ''
  let dones = new Map<object, Done[]>()
  let received = new Map<object, string[]>()
  let sent = new Map<string, object[]>()
  const statuses = new Map<string, Status>()
  const live = { log: [] as LogEntry[], uncaught: [] as unknown[] }
  // Replaces the test runner's handler, so that a failing message is reported and shrunk instead of ending the run.
  const listeners = fatalEvents.map((event) => [event, process.listeners(event as never)] as const)
  const keep = (reason: unknown) => void live.uncaught.push(reason)
  const { log: print } = console

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlando-fuzz-'))
    // Node-RED prints a stack for each flow that it cannot start.
    console.log = (text: string) => /^ +at /m.test(text) || print(text)
    for (const event of fatalEvents) process.removeAllListeners(event).on(event, keep)
    RED.init({
      userDir: folder,
      fileWorkingDirectory: folder,
      readOnly: true,
      httpAdminRoot: false,
      credentialSecret: false,
      nodeCloseTimeout: 5000,
      telemetry: { enabled: false },
      logging: {
        quiet: {
          level: 'warn',
          handler: () => (entry: LogEntry) => entry.level <= levels.warn && live.log.push(entry),
        },
      },
    })
    RED.hooks.add(
      'onComplete.fuzz',
      (event: { msg: object; node: { node: Node }; error?: Error }) => {
        const { id, type } = event.node.node
        if (!type.startsWith('parlando-')) return
        dones.set(event.msg, [...(dones.get(event.msg) ?? []), { node: id, error: event.error }])
      },
    )
    RED.hooks.add('onReceive.fuzz', (event: { msg: object; destination: { id: string } }) => {
      received.set(event.msg, [...(received.get(event.msg) ?? []), event.destination.id])
    })
    RED.hooks.add('onSend.fuzz', (events: { msg: object; source: { id: string } }[]) => {
      for (const { msg, source } of events) {
        const before = sent.get(source.id) ?? []
        // A node with two wires appears twice.
        if (!before.includes(msg)) sent.set(source.id, [...before, msg])
      }
    })
    RED.events.on('node-status', ({ id, status }: { id: string; status?: Status }) => {
      statuses.set(id, { ...status })
    })
    const started = nextDeploy()
    await RED.start()
    await started
    // No machine of the tests has to have a speaker.
    provideFakeSpeaker(Object.assign(createFakeSpeaker('kitchen'), { isInstant: true }))
  })

  afterAll(async () => {
    await RED.stop()
    console.log = print
    for (const [event, before] of listeners) {
      process.removeAllListeners(event)
      for (const listener of before) process.on(event, listener as never)
    }
    await rm(folder, { recursive: true, force: true })
  })

  const nextDeploy = () =>
    new Promise<void>((resolve) => {
      const listen = ({ id }: { id: string }) => {
        if (id !== 'runtime-deploy') return
        RED.events.off('runtime-event', listen)
        resolve()
      }
      RED.events.on('runtime-event', listen)
    })

  const node = (id: string): LiveNode | undefined => RED.nodes.getNode(id) ?? undefined

  /** After some invalid flows, every lookup in Node-RED throws. */
  const canLookUp = () => {
    try {
      return !node('unknown')
    } catch {
      return false
    }
  }

  return Object.assign(live, {
    async deploy(flow: object[], needed: string[] = []) {
      const deployed = nextDeploy()
      try {
        await RED.runtime.flows.setFlows({ flows: { flows: flow }, deploymentType: 'full' })
      } catch {
        return false
      }
      // Node-RED does not report a deploy whose start has failed.
      const ended = new AbortController()
      const { signal } = ended
      const late = delay(deployLimitMs, false, { signal }).catch(() => false)
      const hasEnded = await Promise.race([deployed.then(() => true), late])
      ended.abort()
      if (!hasEnded) return false
      // Node-RED waits silently for unknown types of nodes.
      return canLookUp() && needed.every(node)
    },
    node,
    doneWith: (message: object) => dones.get(message) ?? [],
    timesReceived: (message: object, id: string) =>
      (received.get(message) ?? []).filter((receiver) => receiver === id).length,
    sentBy: (id: string) => sent.get(id) ?? [],
    statusOf: (id: string) => statuses.get(id),
    forget() {
      dones = new Map()
      received = new Map()
      sent = new Map()
      live.log.length = 0
      live.uncaught.length = 0
    },
  })
}
