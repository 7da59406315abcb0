import type { CallOptions, Client, Voice } from '@parlando/core'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { innerParts } from '../../shared/inner-parts.ts'
import { handleMessages } from '../../shared/work.ts'
import {
  findVoices,
  readVoicesOrder,
  type VoicesMessage,
  type VoicesOrder,
  type VoicesSettings,
} from './voices-request.ts'

interface VoicesDef extends NodeDef, VoicesSettings {
  service: string
  /** For a list: one message with all, or one for each voice. */
  output: 'whole' | 'each'
}

function register(RED: NodeAPI): void {
  function Voices(this: Node, config: VoicesDef) {
    RED.nodes.createNode(this, config)

    const sendEach = (
      message: VoicesMessage,
      voices: Voice[],
      send: (message: VoicesMessage) => void,
    ) => {
      const { payload: _payload, complete: _complete, parts: outerParts, ...rest } = message
      const parts = innerParts(
        { id: RED.util.generateId(), type: 'array', count: voices.length, len: 1 },
        outerParts,
      )
      for (const [index, voice] of voices.entries()) {
        const own = { ...rest, voiceId: voice.voiceId, parts: { ...parts, index } }
        send({ ...RED.util.cloneMessage(own), payload: voice })
      }
    }

    handleMessages<VoicesMessage>(RED, this, {
      busy: 'wait',
      service: config.service,
      run: async (message, { client, signal, status, send }) => {
        const call = { signal, onRetry: () => status.retrying() }
        const order = readVoicesOrder(RED, config, message)
        if (order.operation === 'list') {
          const voices = await findVoices(client, order, call)
          status.conclude(RED._('voices.status.listed', { count: voices.length }))
          if (config.output === 'each') return sendEach(message, voices, send)
          message.payload = voices
        } else {
          message.payload = await carryOut(client, order, message, call)
          message.voiceId = order.voiceId
          status.conclude(RED._(`voices.status.${order.operation}`))
        }
        send(message)
      },
    })
  }
  RED.nodes.registerType('parlando-voices', Voices)
}

/** Does to one voice what was ordered. @returns the voice as it is then; of a deleted one no more than its id. */
async function carryOut(
  client: Client,
  { operation, voiceId }: VoicesOrder,
  { displayName, description, tags }: VoicesMessage,
  call: CallOptions,
): Promise<Voice> {
  if (operation === 'get') return client.getVoice(voiceId, call)
  if (operation === 'delete') {
    await client.deleteVoice(voiceId, call)
    return { voiceId }
  }
  const texts = { displayName, description, tags } as { displayName?: string; tags?: string[] }
  return client.updateVoice({ voiceId, ...texts }, call)
}

export = register
