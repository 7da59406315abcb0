import type { Node, NodeAPI, NodeStatus } from 'node-red'
import { causeOf, deviceCodes, toFailure } from './failure.ts'
import { sharedKey, sharedText } from './texts.ts'

// The editor receives every status change, and chunks can arrive every few milliseconds.
const minIntervalMs = 250

const shortCauses = new Set([
  'NOT_FOUND',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'TOO_MANY_CALLS',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'NOT_REACHABLE',
  'CONNECTION_LOST',
  'TIMEOUT',
  'BAD_RESPONSE',
  'LINE_TOO_LONG',
  'NO_AUDIO',
  'BUDGET_SPENT',
  ...deviceCodes,
])

interface Counts {
  readonly waiting: number
  readonly running: number
}

/**
 * Shows the state of a node, never its texts. The editor translates a text that is only a key. It cannot insert values, so
 * a text with values is in the language of Node-RED.
 */
export class WorkStatus {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #runner: Counts
  #shownAt = 0
  /** The text of the progress, while the blue dot is shown. */
  #work: (() => string) | undefined
  /** Shows the progress that came too soon after another one. */
  #later: NodeJS.Timeout | undefined
  #conclusion = ''
  #problem: NodeStatus | undefined
  #sequenceId: string | undefined

  constructor(RED: NodeAPI, node: Node, runner: Counts) {
    this.#RED = RED
    this.#node = node
    this.#runner = runner
  }

  /** A blue dot. @param sequenceId the sequence of the message, if any. */
  started(sequenceId?: string): void {
    const isAlone = this.#runner.running <= 1
    const isNext = sequenceId !== undefined && sequenceId === this.#sequenceId
    if (isAlone && !isNext) this.#problem = undefined
    this.#sequenceId = sequenceId
    this.#showWork()
  }

  /** The progress, at most a few times a second, with the number of waiting messages. `text` is only called to show it. */
  working(text: () => string) {
    const restMs = this.#shownAt + minIntervalMs - performance.now()
    if (restMs <= 0) return this.#showWork(text)
    this.#work = text
    this.#later ??= setTimeout(() => {
      this.#later = undefined
      if (this.#work) this.#showWork(this.#work)
    }, restMs).unref()
  }

  /** Another message waits: updates the blue dot. */
  waits(): void {
    if (this.#work) this.working(this.#work)
  }

  /** A yellow ring, until there is something else to show. */
  retrying(): void {
    this.#work = undefined
    this.#node.status({ fill: 'yellow', shape: 'ring', text: sharedKey('status.retrying') })
  }

  /** Text next to the green dot after a message has finished. Default: no text. */
  conclude(text: string): void {
    this.#conclusion = text
  }

  /** A yellow dot with this text after the message has finished, instead of the green one. An empty text takes it back. */
  warn(text: string): void {
    if (this.#problem?.fill === 'red') return
    this.#problem = text === '' ? undefined : { fill: 'yellow', shape: 'dot', text }
  }

  finished(wasStopped: boolean) {
    // Other messages are still in progress.
    if (this.#runner.running > 1 && !wasStopped) return this.#showWork(this.#work)
    this.#work = undefined
    if (wasStopped) this.#node.status({})
    else this.#node.status(this.#problem ?? { fill: 'green', shape: 'dot', text: this.#conclusion })
  }

  /** A red ring with a short cause, also after the end of messages that run in parallel or are of the same sequence. */
  failed(error: unknown): void {
    this.#work = undefined
    this.#conclusion = ''
    this.#problem = failedStatus(error)
    this.#node.status(this.#problem)
  }

  /** Without a text: no progress is known yet. */
  #showWork(work = () => ''): void {
    clearTimeout(this.#later)
    this.#later = undefined
    this.#shownAt = performance.now()
    this.#work = work
    const done = work()
    const count = this.#runner.waiting
    const waiting = sharedText(this.#RED, 'status.waiting', { count })
    const text =
      count === 0
        ? done || sharedKey('status.starting')
        : `${done || sharedText(this.#RED, 'status.starting')}, ${waiting}`
    this.#node.status({ fill: 'blue', shape: 'dot', text })
  }
}

/** A red ring with a short cause. */
export function failedStatus(error: unknown): NodeStatus {
  const text = causeOf(error) ?? causeKey(toFailure(error).code)
  return { fill: 'red', shape: 'ring', text }
}

/** The key of the text that names the cause of an error with this code. */
export function causeKey(code: string): string {
  return sharedKey(`cause.${shortCauses.has(code) ? code : 'other'}`)
}
