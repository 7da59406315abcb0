import { ParlandoError } from '@parlando/core'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { BusyMode } from '../../shared/runner.ts'
import { handleMessages } from '../../shared/work.ts'
import { createProgress } from './progress.ts'
import { isSequenceEnd, type SpeakMessage, silentPart, speak } from './speech-messages.ts'
import { readSpeechRequest, type SpeechSettings } from './speech-request.ts'
import { readSpokenText, type TextSettings } from './spoken-text.ts'

interface SpeakDef extends NodeDef, TextSettings, SpeechSettings {
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
        const text = isSequenceEnd(message)
          ? ''
          : await readSpokenText(RED, this, config, message, signal)
        if (text === '') {
          send(silentPart({ message, output: config.output, sequenceId }))
          return
        }
        const call = { signal, onRetry: () => status.retrying() }
        const defaults = { ...service.defaults, voiceId: () => service.defaultVoiceId(call) }
        const { request } = await readSpeechRequest(RED, text, config, message, defaults)
        signal.throwIfAborted()
        const progress = createProgress(RED, status)
        const steps = speak({
          stream: client.synthesizeStream(request, call),
          request,
          message,
          output: config.output,
          sequenceId,
          clone: (original) => RED.util.cloneMessage(original),
          tooLarge: (mebibytes) => RED._('speak.error.too-large', { mebibytes }),
        })
        try {
          for await (const { message: next, audio } of steps) {
            if (next) send(next)
            progress.spoke(audio)
          }
        } catch (error) {
          if (ParlandoError.isInstance(error) && error.code === 'NOT_FOUND') {
            service.forgetDefaultVoice()
          }
          throw error
        }
      },
    })
  }
  RED.nodes.registerType('parlando-speak', Speak)
}

export = register
