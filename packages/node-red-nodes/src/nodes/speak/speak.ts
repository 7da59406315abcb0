import type { Node, NodeAPI, NodeDef } from 'node-red'
import { NodeInputError, toFailure } from '../../shared/failure.ts'
import { type BusyMode, createRunner } from '../../shared/runner.ts'
import type { ServiceNode } from '../../shared/service-node.ts'
import { createProgress } from './progress.ts'
import { type SpeakMessage, speak } from './speech-messages.ts'
import { readSpeechRequest, type SpeakSettings } from './speech-request.ts'

interface SpeakDef extends NodeDef, SpeakSettings {
  service: string
  output: 'chunks' | 'whole'
  busy: BusyMode
}

function register(RED: NodeAPI): void {
  function Speak(this: Node, config: SpeakDef) {
    RED.nodes.createNode(this, config)
    const runner = createRunner(config.busy)
    const progress = createProgress(this, RED._, () => runner.waiting)

    const run = async (
      message: SpeakMessage,
      send: (message: SpeakMessage) => void,
      signal: AbortSignal,
    ): Promise<void> => {
      progress.started()
      const service = RED.nodes.getNode(config.service) as ServiceNode | null
      if (!service) throw new NodeInputError(RED._('speak.error.no-service'))
      const client = await service.connect()
      const request = await readSpeechRequest(RED, this, config, message, () =>
        service.defaultVoiceId(signal),
      )
      signal.throwIfAborted()
      const stream = client.synthesizeStream(request, { signal })
      const steps = speak({
        stream,
        request,
        message,
        output: config.output,
        sequenceId: RED.util.generateId(),
        clone: (original) => RED.util.cloneMessage(original),
      })
      for await (const { message: next, audio } of steps) {
        if (signal.aborted) break
        if (next) send(next)
        progress.spoke(audio)
      }
    }

    this.on('input', (message: SpeakMessage & { stop?: unknown }, send, done) => {
      if (message.stop === true) {
        runner.stop()
        done()
        return
      }
      const isTaken = runner.submit({
        async run(signal) {
          try {
            await run(message, send, signal)
            progress.finished(signal.aborted)
            done()
          } catch (error) {
            if (signal.aborted) {
              progress.finished(true)
              done()
              return
            }
            const failure = toFailure(error)
            progress.failed(failure.code)
            done(failure)
          }
        },
        drop: done,
      })
      if (!isTaken) done(toFailure(new NodeInputError(RED._('speak.error.too-many-waiting'))))
    })

    this.on('close', async (done: () => void) => {
      await runner.close()
      this.status({})
      done()
    })
  }

  RED.nodes.registerType('parlando-speak', Speak)
}

export = register
