import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createFakeSpeaker, provideFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import type { Node } from 'node-red'
import { afterAll, beforeAll } from 'vitest'
import { WatchedMessages } from './watched-messages.ts'

const require = createRequire(import.meta.url)

export interface LogEntry {
  level: number
  id?: string
  type?: string
  msg: unknown
}

export type LiveNode = Node & { receive(message: object): void }

/** What a deploy on a busy machine never needs. */
const deployLimitMs = 15_000
const levels = { error: 20, warn: 30 }
const fatalEvents = ['uncaughtException', 'unhandledRejection'] as const

/** Starts Node-RED 5 for the tests of a file. */
export function useLiveNodeRed(): LiveNodeRed {
  const live = new LiveNodeRed()
  beforeAll(() => live.start())
  afterAll(() => live.stop())
  return live
}

/** A complete Node-RED in this process, so that a test sees each `done` and every uncaught error. */
class LiveNodeRed {
  readonly messages = new WatchedMessages()
  /** The warnings and errors of the log. */
  readonly log: LogEntry[] = []
  /** Uncaught exceptions and unhandled rejections. */
  readonly uncaught: unknown[] = []
  readonly #RED = require('node-red')
  readonly #print = console.log
  readonly #listeners = fatalEvents.map(
    (event) => [event, process.listeners(event as never)] as const,
  )
  #folder = ''

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'parlando-fuzz-'))
    // Node-RED prints a stack for each flow that it cannot start.
    console.log = (text: string) => /^ +at /m.test(text) || this.#print(text)
    // Replaces the test runner's handler, so that a failing message is reported and shrunk instead of ending the run.
    const keep = (reason: unknown) => void this.uncaught.push(reason)
    for (const event of fatalEvents) process.removeAllListeners(event).on(event, keep)
    this.#RED.init(this.#settings())
    this.messages.watch(this.#RED)
    const started = this.#nextDeploy()
    await this.#RED.start()
    await started
    // No machine of the tests has to have a speaker.
    provideFakeSpeaker(Object.assign(createFakeSpeaker('kitchen'), { isInstant: true }))
  }

  async stop(): Promise<void> {
    await this.#RED.stop()
    console.log = this.#print
    for (const [event, before] of this.#listeners) {
      process.removeAllListeners(event)
      for (const listener of before) process.on(event, listener as never)
    }
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Replaces the running flows and waits. @returns whether the deploy has ended, and all `needed` nodes run. */
  async deploy(flow: object[], needed: string[] = []): Promise<boolean> {
    const deployed = this.#nextDeploy()
    try {
      await this.#RED.runtime.flows.setFlows({ flows: { flows: flow }, deploymentType: 'full' })
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
    return this.#canLookUp() && needed.every((id) => this.node(id))
  }

  node(id: string): LiveNode | undefined {
    return this.#RED.nodes.getNode(id) ?? undefined
  }

  /** Clears all messages, the log and the uncaught errors. */
  forget(): void {
    this.messages.forget()
    this.log.length = 0
    this.uncaught.length = 0
  }

  #settings() {
    const keep = (entry: LogEntry) => entry.level <= levels.warn && this.log.push(entry)
    return {
      userDir: this.#folder,
      fileWorkingDirectory: this.#folder,
      readOnly: true,
      httpAdminRoot: false,
      credentialSecret: false,
      nodeCloseTimeout: 5000,
      telemetry: { enabled: false },
      logging: { quiet: { level: 'warn', handler: () => keep } },
    }
  }

  #nextDeploy(): Promise<void> {
    const { events } = this.#RED
    return new Promise((resolve) => {
      const listen = ({ id }: { id: string }) => {
        if (id !== 'runtime-deploy') return
        events.off('runtime-event', listen)
        resolve()
      }
      events.on('runtime-event', listen)
    })
  }

  /** After some invalid flows, every lookup in Node-RED throws. */
  #canLookUp(): boolean {
    try {
      return !this.node('unknown')
    } catch {
      return false
    }
  }
}
