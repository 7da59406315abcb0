import { setTimeout as wait } from 'node:timers/promises'
import type { Node, NodeAPI, NodeStatus } from 'node-red'
import { record } from '../../microphones/machine/record.ts'
import { createSilenceDetector } from '../../microphones/silence-detector.ts'
import type { WakeWordListener } from '../../microphones/wake-word/wake-word-listener.ts'
import { type Failure, NodeInputError, toFailure } from '../../runtime/failure.ts'
import { failedStatus } from '../../runtime/status.ts'
import {
  type MicrophoneControl,
  type MicrophoneMessage,
  recordingMessages,
} from './microphone-message.ts'
import type { OpenWakeWordListener } from './wake-word-settings.ts'

export interface WakeWordMicrophoneOptions {
  /** The name of the sound device; empty: that of the system. */
  device: string
  topic: string
  openListener: OpenWakeWordListener
  /** The time until a recorder that has failed is started again. Default: 10 s. */
  retryMs?: number
}

interface Recording {
  push(pcm: Buffer): void
  end(failure?: unknown): void
  /** Whether a message began it, which takes a failure to Catch. */
  isOfMessage: boolean
}

/**
 * Lets a program of the machine record all the time, and sends only what somebody says after the wake word, until silence. A
 * message can start a recording without the word, also while no service listens for it.
 */
export class WakeWordMicrophone implements MicrophoneControl {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #options: WakeWordMicrophoneOptions
  readonly #closing = new AbortController()
  /** Absent if it could not be opened. */
  readonly #listener: WakeWordListener | undefined
  readonly #recording: Promise<void>
  #current: Recording | undefined
  /** The first wake word, while it waits for one. */
  #phrase: string | undefined
  /** Why the recorder does not record, and why no service listens. */
  readonly #problems: { recorder?: unknown; service?: unknown } = {}

  constructor(RED: NodeAPI, node: Node, options: WakeWordMicrophoneOptions) {
    this.#RED = RED
    this.#node = node
    this.#options = options
    this.#listener = this.#open()
    this.#recording = this.#recordAgainAndAgain()
  }

  start(...[message, send, end]: Parameters<MicrophoneControl['start']>) {
    if (this.#current) return end()
    this.#begin(message, send, { isOfMessage: true, ended: end })
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
          this.#problems.service = undefined
          this.#showState()
        },
        onWake: (since) => {
          if (this.#current) return
          const message = { _msgid: generateId(), topic: this.#options.topic }
          const recording = this.#begin(message, (sent) => this.#node.send(sent))
          if (since.length > 0) recording.push(since)
        },
        onProblem: (error) => this.#noteServiceProblem(error),
      })
    } catch (error) {
      this.#noteServiceProblem(error)
      return undefined
    }
  }

  #begin(
    message: MicrophoneMessage,
    send: (message: MicrophoneMessage) => void,
    { isOfMessage = false, ended = (_failure?: Failure) => {} } = {},
  ): Recording {
    const { generateId, cloneMessage } = this.#RED.util
    const messages = recordingMessages(message, generateId(), cloneMessage)
    const isOver = createSilenceDetector()
    const recording: Recording = {
      isOfMessage,
      push(pcm) {
        send(messages.next(pcm))
        if (isOver(pcm)) recording.end()
      },
      end: (failure) => {
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
    const onPcm = (pcm: Buffer) => {
      if (this.#problems.recorder !== undefined) {
        this.#problems.recorder = undefined
        this.#showState()
      }
      const receiver = this.#current ?? this.#listener
      receiver?.push(pcm)
    }
    while (!signal.aborted) {
      try {
        await record({ RED: this.#RED, device, signal, onPcm })
      } catch (error) {
        const failed = this.#current
        failed?.end(error)
        this.#note('recorder', error, failed?.isOfMessage)
      }
      await wait(retryMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  #noteServiceProblem(error: unknown): void {
    this.#phrase = undefined
    this.#note('service', error)
  }

  /** Shows a problem. Catch receives it once, not at every attempt. @param isReported whether a message takes it to Catch. */
  #note(source: 'recorder' | 'service', error: unknown, isReported = false): void {
    const isNew = String(this.#problems[source]) !== String(error)
    this.#problems[source] = error
    if (isNew && !isReported && !this.#closing.signal.aborted) this.#node.error(toFailure(error))
    this.#showState()
  }

  #showState(): void {
    if (this.#closing.signal.aborted) return
    this.#node.status(this.#status())
  }

  #status(): NodeStatus {
    if (this.#current) return { fill: 'blue', shape: 'dot', text: 'microphone.status.recording' }
    const problem = this.#problems.recorder ?? this.#problems.service
    if (problem !== undefined) return failedStatus(problem)
    if (this.#phrase === undefined) return {}
    const text = this.#RED._('microphone.status.waiting', { phrase: this.#phrase })
    return { fill: 'green', shape: 'ring', text }
  }
}
