import type { Node, NodeAPI } from 'node-red'
import { sharedText } from './texts.ts'

/** Shows the state of a node, never its texts. */
export interface WorkStatus {
  /** A blue dot. */
  started(): void
  /** The progress, at most a few times a second, with the number of waiting messages. */
  working(text: string): void
  /** Another message waits: updates the blue dot, unless it has just changed. */
  waits(): void
  /** A yellow ring, until there is something else to show. */
  retrying(): void
  /** Text next to the green dot after a message has finished. Default: no text. */
  conclude(text: string): void
  finished(wasStopped: boolean): void
  /** A red ring with a short cause. */
  failed(code: string): void
}

// The editor receives every status change, and chunks can arrive every few milliseconds.
const minIntervalMs = 250

const shortCauses = new Set([
  'INVALID_INPUT',
  'INVALID_ARGUMENT',
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
])

interface Counts {
  readonly waiting: number
  readonly running: number
}

export function createStatus(RED: NodeAPI, node: Node, runner: Counts): WorkStatus {
  let shownAt = 0
  let shownWork: string | undefined
  let conclusion = ''
  const text = (key: string, values = {}) => sharedText(RED, key, values)

  const showWork = (done: string) => {
    shownAt = performance.now()
    shownWork = done
    const count = runner.waiting
    const queue = count > 0 ? text('status.waiting', { count }) : ''
    node.status({ fill: 'blue', shape: 'dot', text: [done, queue].filter(Boolean).join(', ') })
  }

  return {
    started() {
      showWork('')
    },
    working(done) {
      if (performance.now() - shownAt >= minIntervalMs) showWork(done)
    },
    waits() {
      const isRecent = performance.now() - shownAt < minIntervalMs
      if (shownWork !== undefined && !isRecent) showWork(shownWork)
    },
    retrying() {
      shownWork = undefined
      node.status({ fill: 'yellow', shape: 'ring', text: text('status.retrying') })
    },
    conclude(done) {
      conclusion = done
    },
    finished(wasStopped) {
      // Other messages are still in progress.
      if (runner.running > 1 && !wasStopped) return showWork('')
      shownWork = undefined
      node.status(wasStopped ? {} : { fill: 'green', shape: 'dot', text: conclusion })
    },
    failed(code) {
      shownWork = undefined
      conclusion = ''
      const cause = shortCauses.has(code) ? code : 'other'
      node.status({ fill: 'red', shape: 'ring', text: text(`cause.${cause}`) })
    },
  }
}
