import type { Node, NodeAPI, NodeDef } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import { handleMessages } from '../../shared/work.ts'
import { type AudioCollector, createAudioCollector } from '../../sounds/incoming-audio.ts'
import { holdConversation } from './conversation.ts'
import { type ConverseMessage, toolCallOf } from './messages.ts'
import { type ConverseSettings, readSession, silenceMsOf } from './request.ts'
import { createUserInput, type UserInput } from './user-input.ts'

interface ConverseDef extends NodeDef, ConverseSettings {
  service: string
  /** `short`: until nobody speaks after a response. Default: until the node is stopped. */
  keepListening?: 'short' | 'always'
}

function register(RED: NodeAPI): void {
  function Converse(this: Node, config: ConverseDef) {
    RED.nodes.createNode(this, config)
    const collector = createAudioCollector(RED)
    /** Of the conversation that has begun, even if it is not connected yet. */
    let input: UserInput | undefined

    handleMessages<ConverseMessage>(RED, this, {
      busy: 'wait',
      service: config.service,
      takeAtOnce(message) {
        if (message.stop === true) {
          collector.stop()
          input = undefined
          return false
        }
        if (collector.takeChunk(message)) return true
        if (input) {
          input.take(message)
          return true
        }
        input = beginInput(RED, config, collector, message)
        return false
      },
      async run(message, tools) {
        const current = input ?? beginInput(RED, config, collector, message)
        try {
          const session = readSession(RED, config, message)
          const isShort = config.keepListening === 'short'
          await holdConversation({ RED, session, isShort, input: current, message, tools })
        } finally {
          if (input === current) input = undefined
          current.close()
          collector.stop()
        }
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
): UserInput {
  if (toolCallOf(message)) throw new NodeInputError(RED._('converse.error.no-call'))
  const input = createUserInput(RED, collector, silenceMsOf(config))
  input.take(message)
  return input
}

export = register
