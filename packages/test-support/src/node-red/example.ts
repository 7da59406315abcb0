import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { expectSpoken } from '../audio/expect-spoken.ts'
import { openEditorTab, type SimulatedBrowser } from '../speakers/simulated-browser.ts'
import { type NodeRedProcess, startNodeRed } from './process.ts'
import { useSharedNodeRed } from './shared-process.ts'

export interface FlowNode {
  id: string
  type: string
  z?: string
  name?: string
  x?: number
  y?: number
  wires?: string[][]
  // biome-ignore lint/suspicious/noExplicitAny: each type of node has its own settings
  [setting: string]: any
}

const exampleFolder = fileURLToPath(new URL('../../../../examples/flows', import.meta.url))
export const exampleFiles = readdirSync(exampleFolder).filter((file) => file.endsWith('.json'))

export function readExample(file: string): FlowNode[] {
  return JSON.parse(readFileSync(join(exampleFolder, file), 'utf8'))
}

/** The node with this name. @throws {Error} if there is none. */
export function nodeNamed(flow: FlowNode[], name: string): FlowNode {
  const node = flow.find((one) => one.name === name)
  if (!node) throw new Error(`The example has no node with the name "${name}"`)
  return node
}

export interface Example {
  nodeRed: NodeRedProcess
  flow: FlowNode[]
  /** Presses the button of the inject node with this name. */
  press(name: string): Promise<void>
  /** Opens the editor in a tab that plays sounds. The test closes it. */
  openEditor(): SimulatedBrowser
  /** Sends a request to Node-RED as a browser would. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Waits for this number of messages at the debug node with this name. @returns the displayed texts. */
  debugTexts(name: string, count?: number): Promise<string[]>
  /** The status texts of the node with this name, in order. */
  statuses(name: string): string[]
  /** Reads a file that a flow has written. */
  read(file: string): Promise<Buffer>
  /** Waits until a file contains this text as speech. Until then the file may be missing, incomplete or outdated. */
  expectSpoken(file: string, text: string): Promise<void>
}

/** Changes an example, such as a port. */
type Change = (flow: FlowNode[], baseUrl: string) => void | Promise<void>

/** Runs an example in a complete Node-RED for the tests of a file. */
export function useExample(file: string, change: Change = () => {}): Example {
  const flow = readExample(file)
  const nodeRed = useSharedNodeRed(async (baseUrl) => {
    await change(flow, baseUrl)
    return flow
  })
  return exampleIn(nodeRed, flow)
}

/** Runs an example in a Node-RED of its own, for tests that leave something behind. */
export function useExampleInOwnNodeRed(file: string): Example {
  const flow = readExample(file)
  const nodeRed = {} as NodeRedProcess
  beforeAll(async () => void Object.assign(nodeRed, await startNodeRed(flow)))
  afterAll(() => nodeRed.close?.())
  return exampleIn(nodeRed, flow)
}

function exampleIn(nodeRed: NodeRedProcess, flow: FlowNode[]): Example {
  const example = { nodeRed, flow } as Example
  const idOf = (name: string) => nodeNamed(example.flow, name).id
  return Object.assign(example, {
    press: (name: string) => example.nodeRed.inject(idOf(name)),
    openEditor: () => openEditorTab(example.nodeRed),
    fetch: (path: string, init?: RequestInit) => fetch(example.nodeRed.baseUrl + path, init),
    async debugTexts(name: string, count = 1) {
      return vi.waitFor(
        () => {
          const messages = example.nodeRed.debugTexts(idOf(name))
          expect(messages.length).toBeGreaterThanOrEqual(count)
          return messages
        },
        { timeout: 60_000, interval: 20 },
      )
    },
    statuses: (name: string) => example.nodeRed.statuses(idOf(name)),
    read: (path: string) => readFile(join(example.nodeRed.folder, path)),
    expectSpoken: (path: string, text: string) =>
      vi.waitFor(async () => void (await expectSpoken(await example.read(path), text)), {
        timeout: 60_000,
        interval: 200,
      }),
  })
}
