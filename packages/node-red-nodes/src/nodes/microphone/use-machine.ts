import type { Node, NodeAPI } from 'node-red'
import { record } from '../../microphones/machine/record.ts'
import { createSilenceDetector } from '../../microphones/silence-detector.ts'
import { NodeInputError, toFailure } from '../../runtime/failure.ts'
import { failedStatus } from '../../runtime/status.ts'
import type { MicrophoneControl } from './control.ts'
import { recordingMessages } from './messages.ts'

export interface MachineOptions {
  /** The name of the sound device; empty: that of the system. */
  device: string
  /** Whether a recording ends when nobody speaks any more, or nobody has begun to. */
  endsOnSilence: boolean
}

/** Sends what a program of the machine records. */
export function useMachine(
  RED: NodeAPI,
  node: Node,
  { device, endsOnSilence }: MachineOptions,
): MicrophoneControl {
  let current: { ending: AbortController; ended: Promise<void> } | undefined
  /** Begins when the program of the recording that was stopped has exited. */
  let next: Parameters<MicrophoneControl['start']> | undefined
  let isClosed = false

  const dropNext = () => {
    next?.[2]()
    next = undefined
  }
  const stop = () => {
    dropNext()
    current?.ending.abort()
  }

  const control: MicrophoneControl = {
    start(...recording) {
      const [message, send, end] = recording
      if (current?.ending.signal.aborted) {
        dropNext()
        next = recording
        return
      }
      // It is recording already.
      if (current) return end()
      const clone = RED.util.cloneMessage
      const messages = recordingMessages(message, RED.util.generateId(), clone)
      const ending = new AbortController()
      const isOver = endsOnSilence ? createSilenceDetector() : () => false
      const onPcm = (pcm: Buffer) => {
        send(messages.next(pcm))
        if (isOver(pcm)) ending.abort()
      }
      node.status({ fill: 'blue', shape: 'dot', text: 'microphone.status.recording' })
      const finish = (error?: unknown) => {
        current = undefined
        if (isClosed) return end()
        node.status(error ? failedStatus(error) : {})
        const last = messages.last(error !== undefined)
        if (last) send(last)
        end(error === undefined ? undefined : toFailure(error))
        const waiting = next
        next = undefined
        if (waiting) control.start(...waiting)
      }
      const ended = record({ RED, device, signal: ending.signal, onPcm }).then(
        () => finish(),
        finish,
      )
      current = { ending, ended }
    },
    stop,
    show() {
      throw new NodeInputError(RED._('microphone.error.no-display'))
    },
    async close() {
      isClosed = true
      stop()
      await current?.ended
    },
  }
  return control
}
