import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { Node, NodeAPI } from 'node-red'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { saveRecord } from '../secrets/records.ts'

// Loads everything as CommonJS, so that Node-RED, the test helper and the nodes share one instance of each module.
const require = createRequire(import.meta.url)
const helper = require('node-red-node-test-helper')
const manifest = require('@parlando/node-red/package.json')

const nodeFiles: string[] = Object.values(manifest['node-red'].nodes)

/** The Node-RED version of this test run: see vitest.config.ts. */
export const nodeRedPackage = process.env['PARLANDO_NODE_RED'] ?? 'node-red-4'

/** Options that print nested objects in full. */
const whole = { depth: 9, showHidden: true, maxArrayLength: null, maxStringLength: null }

export interface Message {
  payload?: unknown
  [property: string]: unknown
}

export interface LoadedFlow {
  node(id: string): Node & { receive(message: Message): void }
  /** All messages that the helper node with this id received. */
  received(id: string): Message[]
  /** Waits until the helper node with this id has received this number of messages. */
  waitFor(id: string, count: number): Promise<Message[]>
  /** The statuses of the node (text, colour, shape), in order. */
  statuses(id: string): { fill?: string; shape?: string; text?: string }[]
}

export interface NodeRedOptions {
  /** Called when the nodes of the package are registered, before a flow starts. */
  afterNodes?(RED: NodeAPI): void
}

export interface TestNodeRed {
  /** Where Node-RED and its nodes save files. It is removed after the tests of the file. */
  userFolder: string
  load(flow: object[], credentials?: object): Promise<LoadedFlow>
  /** Replaces the flow as a *Full* deploy does, or one of *Modified nodes*. Resolves when it has started. */
  deploy(flow: object[], type?: 'full' | 'nodes'): Promise<void>
  unload(): Promise<void>
  /** Sends a request to an admin route, as a form in the editor does. */
  postToAdmin(path: string, body: object): Promise<{ status: number; body: unknown; text: string }>
  /** Handles the requests of the editor. */
  admin(): RequestListener
  /** The address of the HTTP nodes. */
  baseUrl(): string
  /** The errors that Node-RED has logged. */
  logged(): unknown[]
}

/** Starts a Node-RED runtime before each test of the file, and stops it afterwards. */
export function useNodeRed({ afterNodes = () => {} }: NodeRedOptions = {}): TestNodeRed {
  const userFolder = temporaryFolder()
  helper.init(require.resolve(nodeRedPackage), { userDir: userFolder })
  const core = (file: string) =>
    createRequire(require.resolve(nodeRedPackage)).resolve(`@node-red/nodes/core/${file}`)

  // The helper gives each flow its own routes, but does not serve them.
  let httpNode: NodeAPI['httpNode']
  const keepRoutes = (RED: NodeAPI) => {
    httpNode = RED.httpNode
  }
  beforeEach(async () => {
    await new Promise<void>((resolve) => helper.startServer(resolve))
    helper._app.use((...args: Parameters<typeof httpNode>) => httpNode(...args))
  })
  afterEach(async () => {
    saveRecord('logs', inspect(helper.log().args, whole))
    await helper.unload()
    await new Promise<void>((resolve) => helper.stopServer(resolve))
  })

  return {
    userFolder,
    async load(flow, credentials = {}) {
      const nodes = [
        keepRoutes,
        ...nodeFiles.map((file) => require(require.resolve(`@parlando/node-red/${file}`))),
        (RED: NodeAPI) => afterNodes(RED),
        require(core('sequence/17-split.js')),
        require(core('storage/10-file.js')),
        require(core('common/91-global-config.js')),
      ]
      await helper.load(nodes, onCanvas(flow), credentials)
      return followFlow(flow)
    },
    async deploy(flow, type = 'full') {
      // The helper has a function for this, which fails when the machine stops for a moment.
      const started = once(helper._events, 'flows:started')
      await helper._redNodes.setFlows(onCanvas(flow), {}, type)
      await started
    },
    unload: () => helper.unload(),
    admin: () => helper._httpAdmin,
    baseUrl: () => helper.url(),
    logged: () =>
      (helper.log().args as [{ level: number; msg: unknown }][])
        .filter(([{ level }]) => level === helper.log().ERROR)
        .map(([{ msg }]) => msg),
    async postToAdmin(path, body) {
      const response = await helper.request().post(path).send(body)
      saveRecord('admin responses', response.text)
      return response
    },
  }
}

/** Adds the tab of the nodes, unless the flow has it. Node-RED treats a node without a position on the canvas as a config node. */
function onCanvas(flow: object[]): object[] {
  const placed = flow.map((node) => ('z' in node ? { x: 0, y: 0, ...node } : node))
  const hasTab = flow.some((node) => 'id' in node && node.id === 'tab')
  return hasTab ? placed : [{ id: 'tab', type: 'tab' }, ...placed]
}

/** Without a folder, the nodes would save their files in the working directory, where the next run finds them. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-node-red-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Collects what the helper nodes of a flow receive. */
function followFlow(flow: object[]): LoadedFlow {
  const received = new Map<string, Message[]>()
  for (const { id, type } of flow as { id: string; type: string }[]) {
    if (type !== 'helper') continue
    const messages: Message[] = []
    received.set(id, messages)
    helper.getNode(id).on('input', (message: Message) => {
      messages.push(message)
      if (message['error']) saveRecord('errors', inspect(message['error'], whole))
    })
  }
  const of = (id: string) => received.get(id) ?? []
  return {
    node: (id) => helper.getNode(id),
    received: of,
    async waitFor(id, count) {
      const isDone = () => of(id).length >= count
      // Longer than what most tests may take: then the limit of the test counts.
      const limits = { timeout: 100_000, interval: 5 }
      await vi.waitUntil(isDone, limits).catch(() => {
        const all = inspect(Object.fromEntries(received), { depth: 3 })
        throw new Error(`${id} received ${of(id).length} of ${count} messages. All: ${all}`)
      })
      return of(id)
    },
    statuses: (id) => helper.getNode(id).status.args.map(([status]: [object]) => status),
  }
}
