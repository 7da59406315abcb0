import type { Node, NodeAPI, NodeDef } from 'node-red'
import { handleMessages, withClient } from '../../runtime/work.ts'
import {
  type CloneMessage,
  type CloneSettings,
  readCloneRequest,
  setVoice,
} from './clone-request.ts'

interface CloneVoiceDef extends NodeDef, CloneSettings {
  service: string
}

function register(RED: NodeAPI): void {
  function CloneVoice(this: Node, config: CloneVoiceDef) {
    RED.nodes.createNode(this, config)
    handleMessages<CloneMessage>(RED, this, {
      busy: 'wait',
      service: config.service,
      run: withClient(async (message, { client, signal, status, send }) => {
        const request = await readCloneRequest({ RED, node: this, message, signal }, config)
        signal.throwIfAborted()
        const call = { signal, onRetry: () => status.retrying() }
        const result = await client.cloneVoice(request, call)
        const warnings = setVoice(RED, message, result)
        send(message)
        const name = result.voice.displayName || result.voice.voiceId
        const key = warnings.length > 0 ? 'cloned-with-warnings' : 'cloned'
        status.conclude(RED._(`clone-voice.status.${key}`, { name, count: warnings.length }))
      }),
    })
  }
  RED.nodes.registerType('parlando-clone-voice', CloneVoice)
}

export = register
