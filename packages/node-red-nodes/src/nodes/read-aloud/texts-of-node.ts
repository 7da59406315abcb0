import type { Node, NodeAPI, NodeStatus } from 'node-red'
import type { AfterDeploy } from '../../runtime/after-deploy.ts'
import { type Failure, reportFailure, toFailure } from '../../runtime/failure.ts'
import { requireService } from '../../runtime/find-service.ts'
import type { Send } from '../../runtime/input.ts'
import { failedStatus } from '../../runtime/status.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'
import type { ReadAloudSettings } from './read-aloud-settings.ts'
import { Reader } from './reader.ts'
import type { ReadAloudText, ReadingOutcome } from './reading.ts'
import { ReadingDisplays } from './reading-displays.ts'
import { noSentences, restoredMessage, sendOutcome } from './reading-outcome.ts'
import { outcomeStatus, ReadingStatus } from './reading-status.ts'
import type { ReadingStore } from './reading-store.ts'
import { createSayer } from './say-passage.ts'
import { TextIntake } from './text-intake.ts'

interface TextsOptions {
  RED: NodeAPI
  node: Node
  config: ReadAloudSettings
  store: ReadingStore
  afterDeploy: AfterDeploy
}

/** The texts of one node: takes them from messages, saves them, and sends what became of them. */
export class TextsOfNode {
  readonly reader: Reader
  readonly intake: TextIntake
  readonly #options: TextsOptions
  readonly #closing = new AbortController()
  readonly #sayer
  readonly #displays
  readonly #status: ReadingStatus

  constructor(options: TextsOptions) {
    const { RED, node, config } = options
    this.#options = options
    this.intake = new TextIntake(RED, node, config)
    this.#status = new ReadingStatus(RED, node)
    this.#sayer = createSayer({
      RED,
      node,
      config,
      closed: this.#closing.signal,
      onStateChange: (state, speakers) => {
        this.#status.noteSaying(state, speakers)
        this.#show()
      },
      onRetry: () => {
        if (!this.#closing.signal.aborted) this.#status.showRetry()
      },
      onSentence: (reading, index) => this.reader.noteSentence(reading, index),
    })
    this.#displays = new ReadingDisplays((reading) => this.#sayer.speakersOf(reading))
    this.reader = new Reader({
      say: (reading, signal) => this.#sayer.say(reading, signal),
      onMove: (reading) => options.store.noteMove(node.id, reading),
      onEnd: (reading, outcome) => this.#end(reading, outcome),
      onFailure: (reading, error) => reportFailure(node, error, reading.message),
      onChange: () => this.#show(),
    })
  }

  /** Reads the text of a message aloud, after those that wait. */
  async take(
    message: ReadAloudMessage,
    send: Send<ReadAloudMessage>,
    end: (failure?: Failure) => void,
  ): Promise<void> {
    const { RED, node, config, store } = this.#options
    try {
      if (this.#closing.signal.aborted) return this.#endUnread(message, send, end)
      requireService(RED, node, config.service)
      const sentences = await this.intake.take(message, () => this.reader.readings)
      if (!sentences) return this.#endUnread(message, send, end)
      if (sentences.length === 0) {
        sendOutcome(send, message, noSentences, { status: 'not read', reason: 'no text' })
        return end()
      }
      const id = RED.util.generateId()
      const reading = { ...newReading, id, message, sentences, send, end }
      this.reader.add(reading)
      // The first sentence may have failed already.
      if (this.reader.readings.includes(reading)) store.add(node.id, reading)
    } catch (error) {
      const failure = toFailure(error)
      const outcome: ReadingOutcome = { status: 'not read', reason: 'failed', failure }
      // The failure does not have the short cause of an error of the message.
      this.#show(failedStatus(error))
      trySending(() => sendOutcome(send, message, noSentences, outcome))
      end(failure)
    }
  }

  /** Goes on with the texts of before a deploy, and shows those of before a restart, which stay silent until somebody wants to hear them. */
  restore(goesOn: boolean): void {
    const { node, store } = this.#options
    const saved = store.of(node.id).map(
      ({ id, message, sentences, index, order, hasBegun, isPaused }, place): ReadAloudText => ({
        ...newReading,
        id,
        sentences,
        index: Math.min(index, sentences.length - 1),
        order,
        hasBegun,
        isPaused: isPaused || (place === 0 && !goesOn),
        message: restoredMessage(message, sentences),
        send: (out) => node.send(out),
        end() {},
      }),
    )
    if (saved.length > 0) this.reader.restore(saved)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.intake.stop()
    this.#displays.close()
    const { readings } = this.reader
    await this.reader.close()
    for (const reading of readings) {
      this.#sayer.forget(reading)
      reading.end()
    }
  }

  /** A text that was stopped before it had sentences, or that arrives while the node closes. */
  #endUnread(
    message: ReadAloudMessage,
    send: Send<ReadAloudMessage>,
    end: (failure?: Failure) => void,
  ): void {
    const { node, afterDeploy } = this.#options
    const outcome = (reason: 'stopped' | 'deploy') => ({ status: 'not read' as const, reason })
    if (this.#closing.signal.aborted) {
      afterDeploy.add(node, (again) =>
        sendOutcome((out) => again.send(out), message, noSentences, outcome('deploy')),
      )
    } else trySending(() => sendOutcome(send, message, noSentences, outcome('stopped')))
    end()
  }

  #end(reading: ReadAloudText, outcome: ReadingOutcome): void {
    this.#sayer.forget(reading)
    this.#options.store.remove(reading.id)
    this.#show(outcomeStatus(this.#options.RED, outcome))
    const { message, send, end } = reading
    trySending(() => sendOutcome(send, message, reading, outcome))
    end(outcome.failure)
  }

  /** @param conclusion see `ReadingStatus.show`. */
  #show(conclusion?: NodeStatus): void {
    if (this.#closing.signal.aborted) return
    this.#displays.show(this.reader)
    this.#status.show(this.reader, conclusion)
  }
}

const newReading = {
  index: 0,
  order: 0,
  isPaused: false,
  hasBegun: false,
  speakers: [],
} satisfies Partial<ReadAloudText>

/** A message that cannot be changed ends nevertheless. */
function trySending(send: () => void): void {
  try {
    send()
  } catch {
    // The failure that Catch receives says more.
  }
}
