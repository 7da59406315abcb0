import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Conversations } from '../../conversations/conversations.ts'
import {
  createNodeConversations,
  forgetDeletedNodes,
} from '../../conversations/node-conversations.ts'
import { NodeInputError, toFailure } from '../../runtime/failure.ts'
import { type ConnectedContext, handleMessages, withClient } from '../../runtime/work.ts'
import {
  createRecordingCollector,
  type RecordingCollector,
} from '../../sounds/to-recognise/recording-collector.ts'
import { type ConverseMessage, toolCallOf } from './conversation-messages.ts'
import type { FillerKind } from './filler.ts'
import { holdConversation } from './hold-conversation.ts'
import { openMemory } from './memory.ts'
import { type ConverseSettings, readSession, silenceMsOf, withVoice } from './read-session.ts'
import { findReminderNode, openTools, withTools } from './session-tools.ts'
import { UserMessages } from './user-messages.ts'

interface ConverseDef extends NodeDef, ConverseSettings {
  service: string
  /** `short`: until nobody speaks after a response. Default: until the node is stopped. */
  keepListening?: 'short' | 'always'
  filler?: FillerKind
  /** Keeps the conversations over a restart, and summarizes what is older. */
  keep?: boolean
  /** The configuration node of an MCP server. */
  mcpServer?: string
  /** Whether the language model may set timers and reminders, which a remind node keeps. */
  reminders?: boolean
}

/** Questions and answers of earlier conversations. */
const maxTurns = 20

function register(RED: NodeAPI): void {
  forgetDeletedNodes(RED)

  function Converse(this: Node, config: ConverseDef) {
    RED.nodes.createNode(this, config)
    const collector = createRecordingCollector(RED)
    const isKept = config.keep === true
    const memories = createNodeConversations(RED, this, { maxTurns: isKept ? maxTurns : 0, isKept })
    const inputs = new Map<ConverseMessage, UserMessages>()
    /** The messages of the conversation that has begun, even if it is not connected yet. */
    let current: UserMessages | undefined
    /** The conversation has ended: the next message begins another one. */
    const leave = (input: UserMessages | undefined) => {
      input?.close()
      if (input !== current) return
      current = undefined
      collector.stop()
    }

    handleMessages<ConverseMessage>(RED, this, {
      busy: 'wait',
      service: config.service,
      takeAtOnce(message) {
        if (message.stop === true) {
          collector.stop()
          current = undefined
          return false
        }
        if (collector.takeChunk(message)) return true
        if (current) {
          current.take(message)
          return true
        }
        current = beginInput(RED, config, collector, message)
        inputs.set(message, current)
        return false
      },
      run: withClient((message, context) => {
        const input = inputs.get(message)!
        const parts = { RED, node: this, config, memories, message, input, context }
        return beginConversation({ ...parts, onOver: () => leave(input) })
      }),
      ended(message) {
        const input = inputs.get(message)
        inputs.delete(message)
        leave(input)
      },
      closed: memories.close,
    })

    this.on('close', () => collector.stop())
  }
  RED.nodes.registerType('parlando-converse', Converse)
}

interface ConversationParts {
  RED: NodeAPI
  node: Node
  config: ConverseDef
  memories: Conversations
  /** The first one of the conversation. */
  message: ConverseMessage
  input: UserMessages
  context: ConnectedContext<ConverseMessage>
  /** Called when it takes no more messages. The work on its memory goes on. */
  onOver(): void
}

/** Begins the conversation of a message, and resolves when it has ended. */
async function beginConversation(parts: ConversationParts): Promise<void> {
  const { RED, node, config, message, input, context, onOver } = parts
  const report = (error: unknown) => node.error(toFailure(error), message)
  const session = readSession(RED, config, message)
  const memory = config.keep === true ? openMemory({ ...parts, session }) : undefined
  const reminderId = config.reminders ? findReminderNode(RED, node) : undefined
  if (config.reminders && !reminderId) {
    report(new NodeInputError(RED._('converse.error.no-remind')))
  }
  const serverIds = [config.mcpServer, reminderId].filter((id) => id !== undefined)
  const served = await openTools({ RED, serverIds, session, signal: context.signal, report })
  await holdConversation({
    RED,
    session: await withVoice(withTools(memory?.remind(session) ?? session, served), context),
    memory,
    filler: config.filler,
    isShort: config.keepListening === 'short',
    input,
    message,
    context,
    served,
    report,
    onOver,
  })
}

/** @throws {NodeInputError} if a conversation cannot begin with this message. */
function beginInput(
  RED: NodeAPI,
  config: ConverseDef,
  collector: RecordingCollector,
  message: ConverseMessage,
): UserMessages {
  if (toolCallOf(message)) throw new NodeInputError(RED._('converse.error.no-call'))
  const input = new UserMessages(RED, collector, silenceMsOf(config))
  input.take(message)
  return input
}

export = register
