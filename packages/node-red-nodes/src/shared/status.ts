import type { Node, NodeAPI, NodeStatus } from 'node-red'
import { causeOf, toFailure } from './failure.ts'
import { sharedKey, sharedText } from './texts.ts'

/**
 * Shows the state of a node, never its texts. The editor translates a text that is only a key. It cannot insert values, so
 * a text with values is in the language of Node-RED.
 */
export interface WorkStatus {
  /** A blue dot. */
  started(): void
  /** The progress, at most a few times a second, with the number of waiting messages. `text` is only called to show it. */
  working(text: () => string): void
  /** Another message waits: updates the blue dot, unless it has just changed. */
  waits(): void
  /** A yellow ring, until there is something else to show. */
  retrying(): void
  /** Text next to the green dot after a message has finished. Default: no text. */
  conclude(text: string): void
  /** A yellow dot with this text after the message has finished, instead of the green one. */
  warn(text: string): void
  finished(wasStopped: boolean): void
  /** A red ring with a short cause. */
  failed(error: unknown): void
}

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
  'NO_MICROPHONE',
  'NO_PLAYER',
  'NOT_FETCHED',
  'SPEAKER_NOT_REACHABLE',
  'SPEAKER_REFUSED',
])

interface Counts {
  readonly waiting: number
  readonly running: number
}

export function createStatus(RED: NodeAPI, node: Node, runner: Counts): WorkStatus {
  let shownAt = 0
  let shownWork: (() => string) | undefined
  let conclusion = ''
  let warning = ''

  /** Without a text: no progress is known yet. */
  const showWork = (work = () => '') => {
    shownAt = performance.now()
    shownWork = work
    const done = work()
    const count = runner.waiting
    const working = { fill: 'blue', shape: 'dot' } as const
    if (count === 0) return node.status({ ...working, text: done || sharedKey('status.starting') })
    const texts = [
      done || sharedText(RED, 'status.starting'),
      sharedText(RED, 'status.waiting', { count }),
    ]
    node.status({ ...working, text: texts.join(', ') })
  }

  return {
    started() {
      warning = ''
      showWork()
    },
    working(text) {
      if (performance.now() - shownAt >= minIntervalMs) showWork(text)
      else shownWork = text
    },
    waits() {
      const isRecent = performance.now() - shownAt < minIntervalMs
      if (shownWork !== undefined && !isRecent) showWork(shownWork)
    },
    retrying() {
      shownWork = undefined
      node.status({ fill: 'yellow', shape: 'ring', text: sharedKey('status.retrying') })
    },
    conclude(done) {
      conclusion = done
    },
    warn(text) {
      warning = text
    },
    finished(wasStopped) {
      // Other messages are still in progress.
      if (runner.running > 1 && !wasStopped) return showWork(shownWork)
      shownWork = undefined
      if (wasStopped) node.status({})
      else if (warning) node.status({ fill: 'yellow', shape: 'dot', text: warning })
      else node.status({ fill: 'green', shape: 'dot', text: conclusion })
    },
    failed(error) {
      shownWork = undefined
      conclusion = ''
      node.status(failedStatus(error))
    },
  }
}

/** A red ring with a short cause. */
export function failedStatus(error: unknown): NodeStatus {
  const { code } = toFailure(error)
  const cause = shortCauses.has(code) ? code : 'other'
  const text = causeOf(error) ?? sharedKey(`cause.${cause}`)
  return { fill: 'red', shape: 'ring', text }
}
