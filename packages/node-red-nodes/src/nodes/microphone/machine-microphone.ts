import type { Node, NodeAPI } from 'node-red'
import { record } from '../../microphones/machine/record.ts'
import { createSilenceDetector } from '../../microphones/silence-detector.ts'
import { NodeInputError, toFailure } from '../../runtime/failure.ts'
import { failedStatus } from '../../runtime/status.ts'
import { type MicrophoneControl, recordingMessages } from './microphone-message.ts'

export interface MachineMicrophoneOptions {
  /** The name of the sound device; empty: that of the system. */
  device: string
  /** Whether a recording ends when nobody speaks any more, or nobody has begun to. */
  endsOnSilence: boolean
}

type Recording = Parameters<MicrophoneControl['start']>

/** Sends what a program of the machine records. */
export class MachineMicrophone implements MicrophoneControl {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #options: MachineMicrophoneOptions
  #current: { ending: AbortController; ended: Promise<void> } | undefined
  /** Begins when the program of the recording that was stopped has exited. */
  #next: Recording | undefined
  #isClosed = false

  constructor(RED: NodeAPI, node: Node, options: MachineMicrophoneOptions) {
    this.#RED = RED
    this.#node = node
    this.#options = options
  }

  start(...recording: Recording) {
    if (this.#current?.ending.signal.aborted) {
      this.#dropNext()
      this.#next = recording
      return
    }
    const [message, send, end] = recording
    // It is recording already.
    if (this.#current) return end()
    const { generateId, cloneMessage } = this.#RED.util
    const messages = recordingMessages(message, generateId(), cloneMessage)
    this.#node.status({ fill: 'blue', shape: 'dot', text: 'microphone.status.recording' })
    const finish = (error?: unknown) => {
      this.#current = undefined
      if (this.#isClosed) return end()
      this.#node.status(error ? failedStatus(error) : {})
      const last = messages.last(error !== undefined)
      if (last) send(last)
      end(error === undefined ? undefined : toFailure(error))
      this.#startNext()
    }
    const ending = new AbortController()
    const recorded = this.#record(ending, (pcm) => send(messages.next(pcm)))
    this.#current = { ending, ended: recorded.then(() => finish(), finish) }
  }

  stop(): void {
    this.#dropNext()
    this.#current?.ending.abort()
  }

  show(): never {
    throw new NodeInputError(this.#RED._('microphone.error.no-display'))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.stop()
    await this.#current?.ended
  }

  #record(ending: AbortController, send: (pcm: Buffer) => void): Promise<void> {
    const { device, endsOnSilence } = this.#options
    const isOver = endsOnSilence ? createSilenceDetector() : () => false
    const onPcm = (pcm: Buffer) => {
      send(pcm)
      if (isOver(pcm)) ending.abort()
    }
    return record({ RED: this.#RED, device, signal: ending.signal, onPcm })
  }

  #startNext(): void {
    const next = this.#next
    this.#next = undefined
    if (next) this.start(...next)
  }

  #dropNext(): void {
    const [_message, _send, end] = this.#next ?? []
    this.#next = undefined
    end?.()
  }
}
