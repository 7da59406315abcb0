import type { Node, NodeAPI, NodeDef } from 'node-red'
import { topicOf } from '../../conversations/conversations.ts'
import {
  createNodeConversations,
  forgetDeletedNodes,
  shortenConversation,
} from '../../conversations/node-conversations.ts'
import type { BusyMode } from '../../runtime/runner.ts'
import { echoModel } from '../../runtime/service-defaults.ts'
import { type ConnectedContext, handleMessages, withClient } from '../../runtime/work.ts'
import { answer, type ChatOutput } from './answer-messages.ts'
import { type ChatSettings, readChatRequest } from './chat-request.ts'
import { startChat } from './start-chat.ts'

interface ChatDef extends NodeDef, ChatSettings {
  service: string
  /** Questions and answers to remember for each topic; 0: none. */
  turns: string | number
  /** Keeps the conversations over a restart, and summarizes what is older. */
  keep?: boolean
  /** Default in hand-written flows: `whole`. */
  output?: 'whole' | 'deltas' | 'sentences'
  busy: BusyMode
  /** The configuration node of an MCP server. */
  mcpServer?: string
}

function register(RED: NodeAPI): void {
  forgetDeletedNodes(RED)

  function Chat(this: Node, config: ChatDef) {
    RED.nodes.createNode(this, config)
    const conversations = createNodeConversations(RED, this, {
      maxTurns: Number(config.turns) || 0,
      isKept: config.keep === true,
    })

    handleMessages<ChatOutput & { reset?: unknown }>(RED, this, {
      busy: config.busy,
      service: config.service,
      takeAtOnce(message) {
        if (message.reset !== true) return false
        // An inject node without a topic sends an empty one.
        const hasTopic = message.topic !== undefined && message.topic !== ''
        conversations.forget(hasTopic ? topicOf(message) : undefined)
        return true
      },
      closed: conversations.close,
      run: withClient((message, context) =>
        answerQuestion({ RED, node: this, config, conversations, message, context }),
      ),
    })
  }
  RED.nodes.registerType('parlando-chat', Chat)
}

interface ChatWork {
  RED: NodeAPI
  node: Node
  config: ChatDef
  conversations: ReturnType<typeof createNodeConversations>
  message: ChatOutput
  context: ConnectedContext<ChatOutput>
}

/** Sends the answer to the question of a message, and remembers both. */
async function answerQuestion(work: ChatWork): Promise<void> {
  const { RED, node, config, conversations, message, context } = work
  const { client, signal, status, send } = context
  const conversation = conversations.open(topicOf(message))
  const reading = { RED, node, message, signal }
  const { request, question } = await readChatRequest(reading, config, conversation)
  const stream = await startChat({ RED, node, serverId: config.mcpServer }, request, context)
  const steps = answer({
    stream,
    message,
    output: config.output ?? 'whole',
    sequenceId: RED.util.generateId(),
    clone: (original) => RED.util.cloneMessage(original),
  })
  for await (const { message: next, characters } of steps) {
    // Added before the final message is sent: the flow may react to that message with the next question.
    // Tool calls are not added, because services reject them without the result of the tool. Neither is an empty
    // answer, for example of a model that reasoned up to its token limit: many services reject it.
    const isAnswer = stream.content !== '' && stream.toolCalls.length === 0
    if (next === message && isAnswer && question) conversation.add(question, stream.message)
    if (next) send(next)
    status.working(() => RED._('chat.status.writing', { characters }))
  }
  const { model } = request
  const isEcho = (stream.model ?? model) === echoModel
  if (!isEcho) await shortenConversation(RED, node, conversation, { client, model, signal })
  const first = Math.round(message.chat?.firstTextMs ?? 0)
  const key = isEcho ? 'echoed' : 'wrote'
  const characters = stream.content.length
  status.conclude(RED._(`chat.status.${key}`, { characters, first }))
}

export = register
