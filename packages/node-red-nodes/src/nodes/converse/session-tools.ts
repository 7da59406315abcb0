import type { RealtimeSession } from '@parlando/core'
import type { NodeAPI } from 'node-red'
import { openServedTools, type ServedTools } from '../../mcp/tool-server.ts'
import type { NodeInputError } from '../../runtime/failure.ts'
import { findRunning } from '../../runtime/running-nodes.ts'

export interface SessionTools {
  RED: NodeAPI
  /** The nodes that have tools, such as an MCP server. */
  serverIds: readonly string[]
  session: RealtimeSession
  signal: AbortSignal
  /** Receives failures that do not end the conversation. */
  report(error: unknown): void
}

/**
 * The tools of the servers for a conversation. If a server is away, the conversation begins without its tools.
 * @throws {NodeInputError} if a server or the names of its tools are not valid.
 */
export async function openTools(request: SessionTools): Promise<ServedTools | undefined> {
  const { RED, serverIds, session, signal, report } = request
  const ownNames = (session.tools ?? []).map(({ name }) => name)
  const servers: ServedTools[] = []
  for (const serverId of serverIds) {
    try {
      const served = await openServedTools({ RED, serverId, ownNames, signal, report })
      if (!served) continue
      servers.push(served)
      ownNames.push(...served.list.map(({ name }) => name))
    } catch (error) {
      // The error comes from the bundle of another node, so `instanceof` does not work.
      if (signal.aborted || (error as NodeInputError).code === 'INVALID_INPUT') throw error
      report(error)
    }
  }
  return servers.length > 0 ? joinTools(servers) : undefined
}

function joinTools(servers: readonly ServedTools[]): ServedTools {
  const serverOf = (name: string) => servers.find((server) => server.has(name))
  return {
    list: servers.flatMap(({ list }) => list),
    has: (name) => serverOf(name) !== undefined,
    call: (name, json) => serverOf(name)!.call(name, json),
  }
}

/**
 * The node that keeps the timers and reminders of a conversation: one in the flow of the node, or else any.
 * @returns `undefined` if there is none.
 */
export function findReminderNode(RED: NodeAPI, { z }: { z?: string }): string | undefined {
  const found = findRunning(RED, ({ type }) => type === 'parlando-remind').map(({ node }) => node)
  return (found.find((node) => node.z === z) ?? found[0])?.id
}

/** Adds the tools of the server to those of the flow. */
export function withTools(
  session: RealtimeSession,
  served: ServedTools | undefined,
): RealtimeSession {
  if (!served) return session
  const added = served.list.map((tool) => ({ type: 'function' as const, ...tool }))
  return { ...session, tools: [...(session.tools ?? []), ...added] }
}
