import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { BusyMode } from '../../shared/runner.ts'
import { handleMessages } from '../../shared/work.ts'
import { createProgress } from './progress.ts'
import { isSequenceEnd, passSequenceEnd, type SpeakMessage, speak } from './speech-messages.ts'
import { readSpeechRequest, type SpeakSettings } from './speech-request.ts'

interface SpeakDef extends NodeDef, SpeakSettings {
  service: string
  output: 'chunks' | 'whole'
  busy: BusyMode
}

function register(RED: NodeAPI): void {
  function Speak(this: Node, config: SpeakDef) {
    RED.nodes.createNode(this, config)
    handleMessages<SpeakMessage>(RED, this, {
      busy: config.busy,
      service: config.service,
      run: async (message, { service, client, signal, status, send }) => {
        const sequenceId = RED.util.generateId()
        if (isSequenceEnd(message)) {
          send(passSequenceEnd({ message, output: config.output, sequenceId }))
          return
        }
        const defaults = {
          ...service.defaults,
          voiceId: () => service.defaultVoiceId(signal),
        }
        const { request } = await readSpeechRequest(RED, this, config, message, defaults, signal)
        signal.throwIfAborted()
        const progress = createProgress(RED, status)
        const steps = speak({
          stream: client.synthesizeStream(request, { signal, onRetry: () => status.retrying() }),
          request,
          message,
          output: config.output,
          sequenceId,
          clone: (original) => RED.util.cloneMessage(original),
        })
        for await (const { message: next, audio } of steps) {
          if (next) send(next)
          progress.spoke(audio)
        }
      },
    })
  }
  RED.nodes.registerType('parlando-speak', Speak)
}

export = register
