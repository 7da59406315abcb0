import type { Node, NodeAPI } from 'node-red'
import { reasonOf } from '../runtime/failure.ts'
import type { Closing } from '../runtime/input.ts'
import { stateOf } from '../runtime/package-state.ts'
import { onRemoval } from '../runtime/removed-nodes.ts'
import { sharedText } from '../runtime/texts.ts'
import { type ChatHistory, type Conversations, createConversations } from './conversations.ts'
import { createKeptConversations, removeConversations } from './kept-conversations.ts'
import { type SummaryOptions, summarize } from './summarize.ts'

export interface MemoryOptions {
  /** Questions and answers to remember for each topic; 0: none. */
  maxTurns: number
  /** Whether they survive a restart, and are summarized when they grow. */
  isKept: boolean
}

export interface NodeConversations extends Conversations {
  /** The node is closed. Called after its work, which may add to a conversation at its end. */
  close(closing: Closing): Promise<void>
}

/** Removes the conversations of nodes that a deploy has deleted, once for all types of nodes that call it. */
export function forgetDeletedNodes(RED: NodeAPI): void {
  const removals = stateOf(RED.httpNode, 'conversationRemovals', () => ({ areFollowed: false }))
  if (removals.areFollowed) return
  removals.areFollowed = true
  onRemoval(RED, ({ deletedIds }) => {
    try {
      removeConversations(userFolderOf(RED), deletedIds)
    } catch (error) {
      RED.log.warn(reasonOf(error))
    }
  })
}

/** The conversations of a node. The file of those that are kept goes with the node, or with the setting. */
export function createNodeConversations(
  RED: NodeAPI,
  node: Node,
  { maxTurns, isKept }: MemoryOptions,
): NodeConversations {
  const file = createKeptConversations({
    userFolder: userFolderOf(RED),
    nodeId: node.id,
    onError: (error) => node.warn(sharedText(RED, 'memory.not-saved', { reason: error.message })),
  })
  const kept = isKept && { kept: file.load(), onChange: file.save }
  return {
    ...createConversations({ maxTurns, ...kept }),
    close: ({ isDeleted }) => (isDeleted || !isKept ? file.remove() : file.flush()),
  }
}

const userFolderOf = (RED: NodeAPI) => RED.settings.userDir ?? '.'

/** Summarizes the older part of a conversation if it has grown too long. If that fails, nothing is lost yet, and the node warns. */
export async function shortenConversation(
  RED: NodeAPI,
  node: Node,
  history: ChatHistory,
  options: SummaryOptions,
): Promise<void> {
  try {
    await history.shorten((older) => summarize(older, options))
  } catch (error) {
    if (options.signal.aborted) return
    node.warn(sharedText(RED, 'memory.not-summarized', { reason: reasonOf(error) }))
  }
}
