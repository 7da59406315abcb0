import { setTimeout as wait } from 'node:timers/promises'
import type { Node, NodeAPI, NodeStatus } from 'node-red'
import { record } from '../../microphones/machine/record.ts'
import { createSilenceDetector } from '../../microphones/silence-detector.ts'
import type { WakeWordListener } from '../../microphones/wake-word/wake-word-listener.ts'
import { NodeInputError, toFailure } from '../../runtime/failure.ts'
import { failedStatus } from '../../runtime/status.ts'
import {
  type MicrophoneControl,
  type MicrophoneMessage,
  recordingMessages,
} from './microphone-message.ts'
import type { OpenWakeWordListener } from './wake-word-settings.ts'

export interface WaitingMachineOptions {
  /** The name of the sound device; empty: that of the system. */
  device: string
  topic: string
  openListener: OpenWakeWordListener
  /** The time until a recorder that has failed is started again. Default: 10 s. */
  retryMs?: number
}

/**
 * Lets a program of the machine record all the time, and sends only what somebody says after the wake word, until silence. A
 * message can start a recording without the word.
 */
export class WaitingMachine implements MicrophoneControl {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #options: WaitingMachineOptions
  readonly #closing = new AbortController()
  /** Absent if it could not be opened. */
  readonly #listener: WakeWordListener | undefined
  readonly #recording: Promise<void>
  #current: { push(pcm: Buffer): void; end(failure?: unknown): void } | undefined
  /** The first wake word, while it waits for one. */
  #phrase: string | undefined
  #problem: unknown

  constructor(RED: NodeAPI, node: Node, options: WaitingMachineOptions) {
    this.#RED = RED
    this.#node = node
    this.#options = options
    this.#listener = this.#open()
    this.#recording = this.#recordAgainAndAgain()
  }

  start(...[message, send, end]: Parameters<MicrophoneControl['start']>) {
    if (this.#current) return end()
    this.#begin(message, send, end)
  }

  stop(): void {
    this.#current?.end()
  }

  show(): never {
    throw new NodeInputError(this.#RED._('microphone.error.no-display'))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#current?.end()
    await Promise.all([this.#recording, this.#listener?.close()])
  }

  #open(): WakeWordListener | undefined {
    const { generateId } = this.#RED.util
    try {
      return this.#options.openListener({
        onWaiting: ([first = '']) => {
          this.#phrase = first
          this.#problem = undefined
          this.#showState()
        },
        onWake: (since) => {
          if (this.#current) return
          const message = { _msgid: generateId(), topic: this.#options.topic }
          const recording = this.#begin(message, (sent) => this.#node.send(sent))
          if (since.length > 0) recording.push(since)
        },
        onProblem: (error) => this.#report(error),
      })
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }

  #begin(
    message: MicrophoneMessage,
    send: (message: MicrophoneMessage) => void,
    ended: (failure?: ReturnType<typeof toFailure>) => void = () => {},
  ) {
    const { generateId, cloneMessage } = this.#RED.util
    const messages = recordingMessages(message, generateId(), cloneMessage)
    const isOver = createSilenceDetector()
    const recording = {
      push(pcm: Buffer) {
        send(messages.next(pcm))
        if (isOver(pcm)) recording.end()
      },
      end: (failure?: unknown) => {
        this.#current = undefined
        const last = messages.last(failure !== undefined)
        if (last && !this.#closing.signal.aborted) send(last)
        ended(failure === undefined ? undefined : toFailure(failure))
        this.#showState()
      },
    }
    this.#current = recording
    this.#showState()
    return recording
  }

  async #recordAgainAndAgain(): Promise<void> {
    const { signal } = this.#closing
    const { device, retryMs = 10_000 } = this.#options
    const onPcm = (pcm: Buffer) => (this.#current ?? this.#listener)?.push(pcm)
    while (!signal.aborted && this.#listener) {
      try {
        await record({ RED: this.#RED, device, signal, onPcm })
      } catch (error) {
        this.#current?.end(error)
        this.#report(error)
      }
      await wait(retryMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  #report(error: unknown): void {
    const isNew = String(this.#problem) !== String(error)
    this.#problem = error
    this.#phrase = undefined
    if (isNew && !this.#closing.signal.aborted) this.#node.error(toFailure(error))
    this.#showState()
  }

  #showState(): void {
    if (this.#closing.signal.aborted) return
    this.#node.status(this.#status())
  }

  #status(): NodeStatus {
    if (this.#current) return { fill: 'blue', shape: 'dot', text: 'microphone.status.recording' }
    if (this.#problem !== undefined) return failedStatus(this.#problem)
    if (this.#phrase === undefined) return {}
    const text = this.#RED._('microphone.status.waiting', { phrase: this.#phrase })
    return { fill: 'green', shape: 'ring', text }
  }
}
