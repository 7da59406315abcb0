import type { Node, NodeAPI } from 'node-red'
import { reasonOf } from '../runtime/failure.ts'
import { handleClose } from '../runtime/input.ts'
import { sharedText } from '../runtime/texts.ts'
import { type ChatHistory, type Conversations, createConversations } from './conversations.ts'
import { createKeptConversations } from './kept-conversations.ts'
import { type SummaryOptions, summarize } from './summarize.ts'

export interface MemoryOptions {
  /** Questions and answers to remember for each topic; 0: none. */
  maxTurns: number
  /** Whether they survive a restart, and are summarized when they grow. */
  isKept: boolean
}

/** The conversations of a node. The file of those that are kept goes with the node, or with the setting. */
export function createNodeConversations(
  RED: NodeAPI,
  node: Node,
  { maxTurns, isKept }: MemoryOptions,
): Conversations {
  const file = createKeptConversations({
    userFolder: RED.settings.userDir ?? '.',
    nodeId: node.id,
    onError: (error) => node.warn(sharedText(RED, 'memory.not-saved', { reason: error.message })),
  })
  handleClose(node, (isRemoved) => (isRemoved || !isKept ? file.remove() : file.flush()))
  if (!isKept) return createConversations({ maxTurns })
  return createConversations({ maxTurns, kept: file.load(), onChange: file.save })
}

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
