import type { Node, NodeAPI, NodeStatus } from 'node-red'
import type { AnnouncementState } from '../../announcements/announcement.ts'
import { reasonText } from '../../announcements/playing-nodes/playback-status.ts'
import { failedStatus } from '../../runtime/status.ts'
import { sharedKey, sharedText } from '../../runtime/texts.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { Reader } from './reader.ts'
import { percentRead, type ReadAloudText, type ReadingOutcome } from './reading.ts'

/** What a sentence does now, and where. */
interface SayingState {
  state: AnnouncementState | 'starting'
  /** The names of its speakers. */
  where: string
}

const notSaid: SayingState = { state: 'starting', where: '' }

/** Shows the status of a node: where its text is, and then what became of it. */
export class ReadingStatus {
  readonly #RED: NodeAPI
  readonly #node: Node
  #saying = notSaid
  /** What a node without a text shows. */
  #conclusion: NodeStatus = {}
  #shown = ''

  constructor(RED: NodeAPI, node: Node) {
    this.#RED = RED
    this.#node = node
  }

  /** A sentence waits for its speakers, or is said. It is shown with the next `show`. */
  noteSaying(state: AnnouncementState, speakers: readonly Speaker[]): void {
    this.#saying = { state, where: speakers.map(({ name }) => name).join(', ') }
  }

  /** @param conclusion the status of a node without a text, which stays until the next one. Default: the current one. */
  show(
    { current, readings, isReading }: Pick<Reader, 'current' | 'readings' | 'isReading'>,
    conclusion = this.#conclusion,
  ): void {
    this.#conclusion = conclusion
    if (!isReading) this.#saying = notSaid
    const status = current
      ? readingStatus(this.#RED, current, this.#saying, readings.length - 1)
      : conclusion
    const next = JSON.stringify(status)
    if (next !== this.#shown) this.#node.status(status)
    this.#shown = next
  }

  /** The service is asked again for the speech of a sentence. */
  showRetry(): void {
    this.#shown = ''
    const text = sharedKey('status.retrying')
    this.#node.status({ fill: 'yellow', shape: 'ring', text })
  }
}

/** Shows where a text is, never its words. */
function readingStatus(
  RED: NodeAPI,
  reading: ReadAloudText,
  { state, where }: SayingState,
  waiting: number,
): NodeStatus {
  const { index, sentences, isPaused, problem } = reading
  if (problem?.error !== undefined) return failedStatus(problem.error)
  const values = {
    sentence: index + 1,
    sentences: sentences.length,
    percent: percentRead(reading),
    where,
  }
  const others = waiting > 0 ? `, ${sharedText(RED, 'status.waiting', { count: waiting })}` : ''
  const place = (key: string) => RED._(`read-aloud.status.${key}`, values)
  if (isPaused) {
    const reason = problem?.reason ? ` (${reasonText(RED, problem)})` : ''
    return { fill: 'grey', shape: 'ring', text: `${place('paused')}${reason}${others}` }
  }
  if (state === 'starting' && waiting === 0)
    return { fill: 'blue', shape: 'dot', text: sharedKey('status.starting') }
  const key = state === 'saying' ? 'reading' : 'waiting'
  return { fill: 'blue', shape: 'dot', text: `${place(key)}${others}` }
}

/** Shows what became of the last text. */
export function outcomeStatus(
  RED: NodeAPI,
  { status, reason, failure }: ReadingOutcome,
): NodeStatus {
  if (failure) return failedStatus(failure)
  if (status === 'read') {
    const time = new Date().toTimeString().slice(0, 5)
    return { fill: 'green', shape: 'dot', text: RED._('read-aloud.status.read', { time }) }
  }
  const text = RED._('read-aloud.status.not-read', { reason: reasonText(RED, { reason }) })
  return { fill: 'yellow', shape: 'dot', text }
}
