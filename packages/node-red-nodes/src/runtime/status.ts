import type { Node, NodeAPI, NodeStatus } from 'node-red'
import { causeOf, toFailure } from './failure.ts'
import { sharedKey, sharedText } from './texts.ts'

/**
 * Shows the state of a node, never its texts. The editor translates a text that is only a key. It cannot insert values, so
 * a text with values is in the language of Node-RED.
 */
export interface WorkStatus {
  /** A blue dot. @param sequenceId the sequence of the message, if any. */
  started(sequenceId?: string): void
  /** The progress, at most a few times a second, with the number of waiting messages. `text` is only called to show it. */
  working(text: () => string): void
  /** Another message waits: updates the blue dot. */
  waits(): void
  /** A yellow ring, until there is something else to show. */
  retrying(): void
  /** Text next to the green dot after a message has finished. Default: no text. */
  conclude(text: string): void
  /** A yellow dot with this text after the message has finished, instead of the green one. An empty text takes it back. */
  warn(text: string): void
  finished(wasStopped: boolean): void
  /** A red ring with a short cause, also after the end of messages that run in parallel or are of the same sequence. */
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
  /** Shows the progress that came too soon after another one. */
  let later: NodeJS.Timeout | undefined
  let conclusion = ''
  let problem: NodeStatus | undefined
  let currentSequenceId: string | undefined

  /** Without a text: no progress is known yet. */
  const showWork = (work = () => '') => {
    clearTimeout(later)
    later = undefined
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

  const showSoon = (work: () => string) => {
    const restMs = shownAt + minIntervalMs - performance.now()
    if (restMs <= 0) return showWork(work)
    shownWork = work
    later ??= setTimeout(() => {
      later = undefined
      if (shownWork) showWork(shownWork)
    }, restMs).unref()
  }

  return {
    started(sequenceId) {
      const isAlone = runner.running <= 1
      if (isAlone && (sequenceId === undefined || sequenceId !== currentSequenceId)) {
        problem = undefined
      }
      currentSequenceId = sequenceId
      showWork()
    },
    working: showSoon,
    waits() {
      if (shownWork !== undefined) showSoon(shownWork)
    },
    retrying() {
      shownWork = undefined
      node.status({ fill: 'yellow', shape: 'ring', text: sharedKey('status.retrying') })
    },
    conclude(done) {
      conclusion = done
    },
    warn(text) {
      if (problem?.fill === 'red') return
      problem = text === '' ? undefined : { fill: 'yellow', shape: 'dot', text }
    },
    finished(wasStopped) {
      // Other messages are still in progress.
      if (runner.running > 1 && !wasStopped) return showWork(shownWork)
      shownWork = undefined
      if (wasStopped) node.status({})
      else node.status(problem ?? { fill: 'green', shape: 'dot', text: conclusion })
    },
    failed(error) {
      shownWork = undefined
      conclusion = ''
      problem = failedStatus(error)
      node.status(problem)
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
