import type { Node, NodeAPI, NodeDef } from 'node-red'
import { handleMessages, withClient } from '../../runtime/work.ts'
import {
  carryOut,
  findVoices,
  readVoicesRequest,
  type VoicesMessage,
  type VoicesSettings,
  voiceMessages,
} from './voices-request.ts'

interface VoicesDef extends NodeDef, VoicesSettings {
  service: string
  /** How a list is sent: one message with all voices, or a message for each. */
  output: 'whole' | 'each'
}

function register(RED: NodeAPI): void {
  function Voices(this: Node, config: VoicesDef) {
    RED.nodes.createNode(this, config)
    const clone = (message: VoicesMessage) => RED.util.cloneMessage(message)

    handleMessages<VoicesMessage>(RED, this, {
      busy: 'wait',
      service: config.service,
      run: withClient(async (message, { client, signal, status, send }) => {
        const call = { signal, onRetry: () => status.retrying() }
        const request = readVoicesRequest(RED, config, message)
        if (request.operation === 'list') {
          const voices = await findVoices(client, request, call)
          status.conclude(RED._('voices.status.listed', { count: voices.length }))
          if (config.output === 'each') {
            const sequenceId = RED.util.generateId()
            for (const next of voiceMessages(message, voices, sequenceId, clone)) send(next)
            return
          }
          message.payload = voices
        } else {
          message.payload = await carryOut(client, request, message, call)
          message.voiceId = request.voiceId
          status.conclude(RED._(`voices.status.${request.operation}`))
        }
        send(message)
      }),
    })
  }
  RED.nodes.registerType('parlando-voices', Voices)
}

export = register
