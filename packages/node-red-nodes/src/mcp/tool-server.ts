import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from '../runtime/failure.ts'
import { sharedText, type Texts } from '../runtime/texts.ts'

/** After this many responses in a row that call tools, a language model must answer. */
export const maxToolRounds = 8

/** A tool that a language model may call. */
export interface ServedTool {
  name: string
  description?: string
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>
}

/** A server whose tools a language model may call. */
export interface ToolServer {
  /** The name of the server, for errors. */
  readonly serverName: string
  /** Connects first if necessary. @throws an error that says what to do. */
  listTools(signal: AbortSignal): Promise<readonly ServedTool[]>
  /**
   * Calls a tool that was listed.
   * @param json the arguments as the language model wrote them.
   * @returns the result for the language model. @throws an error that says what to do.
   */
  callTool(name: string, json: string, signal: AbortSignal): Promise<string>
}

export type ToolServerNode = Node<{ key?: string }> & ToolServer

/** The tools of a server, for one conversation. */
export interface ServedTools {
  readonly list: readonly ServedTool[]
  has(name: string): boolean
  /** @returns the result, or the failure, as text for the language model. Never rejects. */
  call(name: string, json: string): Promise<string>
}

export interface ToolsRequest {
  RED: NodeAPI
  /** The configuration node that the form names; empty: none. A message cannot name one. */
  serverId: string | undefined
  /** The names of the tools of the flow. */
  ownNames: readonly string[]
  /** Ends the calls. */
  signal: AbortSignal
  /** Receives the failures of calls, of which the language model learns as well. */
  report(error: unknown): void
}

/**
 * Asks the server of a node for its tools. @returns nothing if the form names none.
 * @throws {NodeInputError} if the server was deleted or disabled, or if one of its tools has the name of another one. Other
 * errors mean that the server is away.
 */
export async function openServedTools(request: ToolsRequest): Promise<ServedTools | undefined> {
  const { RED, serverId, ownNames, signal, report } = request
  if (!serverId) return undefined
  const server = serverOf(RED, serverId)
  const list = await server.listTools(signal)
  const names = new Set(list.map(({ name }) => name))
  const twice = ownNames.find((name) => names.has(name))
  if (twice !== undefined) throw collision(RED, server, twice)
  return {
    list,
    has: (name) => names.has(name),
    async call(name, json) {
      try {
        // A deploy may have put another node in its place, or removed it.
        return await serverOf(RED, serverId).callTool(name, json, signal)
      } catch (error) {
        if (!signal.aborted) report(error)
        return `The tool failed: ${(error as Error).message}`
      }
    },
  }
}

function serverOf(RED: NodeAPI, id: string): ToolServerNode {
  const server = RED.nodes.getNode(id) as ToolServerNode | null
  // A hand-written flow may name any node.
  if (typeof server?.listTools === 'function') return server
  throw new NodeInputError(sharedText(RED, 'tools.no-server'))
}

function collision(RED: Texts, { serverName }: ToolServer, name: string): NodeInputError {
  return new NodeInputError(sharedText(RED, 'tools.collision', { name, server: serverName }))
}
