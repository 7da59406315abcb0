import type { SampleRemark } from '@parlando/core'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { handleMessages } from '../../shared/work.ts'
import { type CloneMessage, type CloneSettings, readCloneRequest } from './clone-request.ts'

interface CloneVoiceDef extends NodeDef, CloneSettings {
  service: string
}

function register(RED: NodeAPI): void {
  function CloneVoice(this: Node, config: CloneVoiceDef) {
    RED.nodes.createNode(this, config)
    handleMessages<CloneMessage>(RED, this, {
      busy: 'wait',
      service: config.service,
      run: async (message, { client, signal, status, send }) => {
        const request = await readCloneRequest(RED, this, config, message, signal)
        signal.throwIfAborted()
        const { voice, warnings, errors } = await client.cloneVoice(request, {
          signal,
          onRetry: () => status.retrying(),
        })
        const remarks = [...errors, ...warnings].map((remark) => toSentence(RED, remark))
        message.payload = voice
        message.voiceId = voice.voiceId
        message.warnings = remarks
        send(message)
        const name = voice.displayName || voice.voiceId
        const key = remarks.length > 0 ? 'cloned-with-warnings' : 'cloned'
        status.conclude(RED._(`clone-voice.status.${key}`, { name, count: remarks.length }))
      },
    })
  }
  RED.nodes.registerType('parlando-clone-voice', CloneVoice)
}

function toSentence(RED: NodeAPI, { sample, text }: SampleRemark): string {
  return RED._('clone-voice.warning', { number: sample, text })
}

export = register
