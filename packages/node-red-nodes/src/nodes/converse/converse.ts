import type { Node, NodeAPI, NodeDef } from 'node-red'
import { NodeInputError, toFailure } from '../../runtime/failure.ts'
import { handleMessages } from '../../runtime/work.ts'
import { type AudioCollector, createAudioCollector } from '../../sounds/incoming-audio.ts'
import { type ConverseMessage, toolCallOf } from './conversation-messages.ts'
import { holdConversation } from './hold-conversation.ts'
import { type ConverseSettings, readSession, silenceMsOf, withVoice } from './read-session.ts'
import { UserMessages } from './user-messages.ts'

interface ConverseDef extends NodeDef, ConverseSettings {
  service: string
  /** `short`: until nobody speaks after a response. Default: until the node is stopped. */
  keepListening?: 'short' | 'always'
}

function register(RED: NodeAPI): void {
  function Converse(this: Node, config: ConverseDef) {
    RED.nodes.createNode(this, config)
    const collector = createAudioCollector(RED)
    const inputs = new Map<ConverseMessage, UserMessages>()
    /** Of the conversation that has begun, even if it is not connected yet. */
    let current: UserMessages | undefined

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
      run: async (message, tools) => {
        const session = readSession(RED, config, message)
        await holdConversation({
          RED,
          session: await withVoice(session, tools),
          isShort: config.keepListening === 'short',
          input: inputs.get(message)!,
          message,
          tools,
          report: (error) => this.error(toFailure(error), message),
        })
      },
      ended(message) {
        const input = inputs.get(message)
        inputs.delete(message)
        input?.close()
        if (input !== current) return
        current = undefined
        collector.stop()
      },
    })

    this.on('close', () => collector.stop())
  }
  RED.nodes.registerType('parlando-converse', Converse)
}

/** @throws {NodeInputError} if a conversation cannot begin with this message. */
function beginInput(
  RED: NodeAPI,
  config: ConverseDef,
  collector: AudioCollector,
  message: ConverseMessage,
): UserMessages {
  if (toolCallOf(message)) throw new NodeInputError(RED._('converse.error.no-call'))
  const input = new UserMessages(RED, collector, silenceMsOf(config))
  input.take(message)
  return input
}

export = register
