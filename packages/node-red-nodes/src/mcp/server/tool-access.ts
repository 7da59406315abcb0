import { createHash, timingSafeEqual } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/server'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { reasonOf } from '../../runtime/failure.ts'
import { findRunning } from '../../runtime/running-nodes.ts'
import { withinTime } from '../../runtime/wait.ts'
import { callNode } from './call-node.ts'
import { findArgumentProblem } from './check-arguments.ts'
import { type NodeTool, nodeTools } from './node-tools.ts'

const maxCalls = 16
/** Programs give up after 60 s. */
const maxCallMs = 50_000
const tooLong = 'It takes longer than a call may take, and goes on.'

type ToolNodeDef = NodeDef & { mcpAccess?: string }

interface OfferedTool extends NodeTool {
  node: Node
}

/** What programs with the key may use: the nodes that name this access in their forms. */
export class ToolAccess {
  readonly #RED: NodeAPI
  readonly #id: string
  readonly #keyDigest: Buffer
  readonly #closing = new AbortController()
  #calls = 0

  /** @param id of the configuration node. */
  constructor(RED: NodeAPI, id: string, key: string) {
    this.#RED = RED
    this.#id = id
    this.#keyDigest = digest(key)
  }

  /** Takes the same time for every key. */
  hasKey(key: string): boolean {
    return timingSafeEqual(digest(key), this.#keyDigest)
  }

  /** Ends the calls. */
  close(): void {
    this.#closing.abort(new Error('A deploy closed this access before there was a result.'))
  }

  /** A server for one request. */
  async createServer(): Promise<Server> {
    const { Server } = await import('@modelcontextprotocol/server')
    const server = new Server({ name: 'parlando', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({
      tools: [...this.#offered()].map(([name, { description, parameters, required }]) => ({
        name,
        description,
        inputSchema: {
          type: 'object' as const,
          properties: parameters as Record<string, never>,
          required: [...required],
          additionalProperties: false,
        },
      })),
    }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const { name, arguments: values = {} } = params
      return this.#call(name, values, mcpReq.signal)
    })
    return server
  }

  async #call(name: string, values: unknown, signal: AbortSignal) {
    const tool = this.#offered().get(name)
    if (!tool) return failed(`There is no tool ${name.slice(0, 64)}.`)
    const problem = findArgumentProblem(tool, values)
    if (problem) return failed(problem)
    if (this.#calls >= maxCalls) return failed('Too many calls at the same time: try again later.')
    this.#calls += 1
    const ending = AbortSignal.any([signal, this.#closing.signal])
    try {
      const given = values as Record<string, unknown>
      const called = callNode(tool.node, tool, given, ending)
      const result = await withinTime(maxCallMs, called, () => new Error(tooLong))
      return { content: [{ type: 'text' as const, text: JSON.stringify(result) }] }
    } catch (error) {
      return failed(reasonOf(error))
    } finally {
      this.#calls -= 1
    }
  }

  /** The tools by their names. Of two nodes with one name, the second one has a number. */
  #offered(): Map<string, OfferedTool> {
    const offered = new Map<string, OfferedTool>()
    const nodes = findRunning<ToolNodeDef>(this.#RED, ({ mcpAccess }) => mcpAccess === this.#id)
    for (const { node, config } of nodes) {
      const { type, name } = config
      const tool = Object.hasOwn(nodeTools, type) && nodeTools[type]
      if (tool) offered.set(freeName(name || '', tool.name, offered), { ...tool, node })
    }
    return offered
  }
}

/** A name that MCP and language models accept, such as `announce_kitchen` for the node *Kitchen*. */
function freeName(nodeName: string, toolName: string, taken: ReadonlyMap<string, unknown>): string {
  const own = nodeName.toLowerCase().match(/[a-z\d]+/g) ?? []
  const base = [toolName, ...own.filter((word) => word !== toolName)].join('_').slice(0, 56)
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`
    if (!taken.has(name)) return name
  }
}

function failed(text: string) {
  return { isError: true, content: [{ type: 'text' as const, text }] }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
