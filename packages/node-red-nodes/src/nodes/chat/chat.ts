import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { BusyMode } from '../../shared/runner.ts'
import { handleMessages } from '../../shared/work.ts'
import { answer, type ChatOutput } from './chat-messages.ts'
import { type ChatSettings, readChatQuestion, topicOf } from './chat-request.ts'
import { createConversations } from './conversations.ts'

interface ChatDef extends NodeDef, ChatSettings {
  service: string
  /** Questions with their answers that are kept for each topic; 0: each question stands alone. */
  turns: string | number
  /** Absent in a flow that was written by hand: whole. */
  output?: 'whole' | 'deltas' | 'sentences'
  busy: BusyMode
}

function register(RED: NodeAPI): void {
  function Chat(this: Node, config: ChatDef) {
    RED.nodes.createNode(this, config)
    const conversations = createConversations(Number(config.turns) || 0)

    handleMessages<ChatOutput & { reset?: unknown }>(RED, this, {
      busy: config.busy,
      service: config.service,
      isOrder(message) {
        if (message.reset !== true) return false
        conversations.forget(message.topic === undefined ? undefined : topicOf(message))
        return true
      },
      run: async (message, { client, signal, status, send }) => {
        const conversation = conversations.open(topicOf(message))
        const { request, question } = await readChatQuestion(
          RED,
          this,
          config,
          message,
          conversation.turns,
          signal,
        )
        const stream = client.chatStream(request, { signal, onRetry: () => status.retrying() })
        const steps = answer({
          stream,
          message,
          output: config.output ?? 'whole',
          sequenceId: RED.util.generateId(),
          clone: (original) => RED.util.cloneMessage(original),
        })
        for await (const { message: next, characters } of steps) {
          // Before the last message is out, because the flow may answer it at once with the next question.
          // A call of a tool is no answer yet, and without the tool's no service takes it. One without words, as of a
          // model that thought until its limit, many services do not take either.
          const isAnswer = stream.content !== '' && stream.toolCalls.length === 0
          if (next === message && isAnswer && question) conversation.add(question, stream.message)
          if (next) send(next)
          status.working(RED._('chat.status.writing', { characters }))
        }
        const first = Math.round(message.chat?.firstTextMs ?? 0)
        status.conclude(RED._('chat.status.wrote', { characters: stream.content.length, first }))
      },
    })
  }
  RED.nodes.registerType('parlando-chat', Chat)
}

export = register
