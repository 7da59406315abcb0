import { reportsFailures, roleOf } from '../flow/nodes.ts'
import { createBalance } from './balance.ts'
import type { Done, FlowEvent, Received, Sent } from './flow-event.ts'
import { createLastingWork } from './lasting-work.ts'
import { count, emptyMessageStats, type MessageStats } from './message-stats.ts'
import { createSequences } from './sequences.ts'

interface Ticket extends Received {
  /** The number of events before this message, or before its sequence. */
  at: number
  isDone: boolean
  outputs: number
  /** *announce* and *read aloud* also send on what they could not say, and then report the failure. */
  isNotSaid: boolean
}

// A duplicate `done` follows at once or never, so older messages can be forgotten.
const rememberedTickets = 10_000
const maxExamples = 20

/** Tracks all messages: takes their events, and returns statistics. */
export class MessageTracker {
  readonly #messages = emptyMessageStats()
  readonly #tickets = new Map<number, Ticket>()
  readonly #done: number[] = []
  readonly #sequences = createSequences()
  readonly #stops = createStops()
  readonly #catches = createBalance()
  readonly #lasting = createLastingWork()
  #open = 0

  note(event: FlowEvent): void {
    this.#stops.tick()
    this.#lasting.note(event)
    if (event.is === 'received') this.#received(event)
    else if (event.is === 'done') this.#end(event)
    else if (event.is === 'sent') this.#sent(event)
    else if (event.is === 'closed') this.#stops.stop(event.node)
    else if (!this.#lasting.isPause(event)) this.#catches.add(`${event.node} ${event.message}`, -1)
  }

  /** The number of messages that are not done, of texts that are still to be read, and of reminders that are not due. */
  get open(): number {
    return this.#open + this.#lasting.open
  }

  get utterances(): number {
    return this.#messages.utterances
  }

  /** Call it at rest: messages that are open then count as lost. */
  close(): MessageStats {
    const { lost, duplicates, notCaughtOnce } = this.#messages
    for (const { isDone, node } of this.#tickets.values()) if (!isDone) addExample(lost, node)
    const lasting = this.#lasting.problems()
    for (const name of lasting.lost)
      addExample(lost, `${name}: a text or a reminder without an end`)
    for (const name of lasting.duplicates) addExample(duplicates, `${name}: ended twice`)
    for (const [key, difference] of this.#catches.left()) {
      const [node] = key.split(' ')
      if (difference < 0 && reportsFailures(node!)) continue
      const what = difference > 0 ? 'not caught' : 'caught too often'
      addExample(notCaughtOnce, `${key}: ${what}`)
    }
    return this.#messages
  }

  #received(event: Received): void {
    this.#messages.received += 1
    if (!event.isDelivered) {
      this.#messages.undelivered += 1
      return
    }
    this.#open += 1
    const { node, control, ticket } = event
    const at = this.#stops.begin(event)
    if (control === 'stop' || node.endsWith('-replace')) this.#stops.stop(node)
    this.#tickets.set(ticket, { ...event, at, isDone: false, outputs: 0, isNotSaid: false })
  }

  #end({ ticket: number, failure, node }: Done): void {
    const messages = this.#messages
    const ticket = this.#tickets.get(number)
    if (!ticket || ticket.isDone) {
      addExample(messages.duplicates, `${node}: ${failure ?? 'done'}`)
      return
    }
    ticket.isDone = true
    this.#open -= 1
    this.#done.push(number)
    if (this.#done.length > rememberedTickets) this.#tickets.delete(this.#done.shift()!)
    const unfinished = this.#sequences.discard(node, ticket.message)
    if (failure !== undefined) this.#fail(ticket, failure)
    else if (ticket.control) messages.control += 1
    else if (unfinished === 0 && (ticket.outputs === 1 || sendsAnyNumber(node))) {
      messages.completed += 1
      count(messages.completedBy, node)
    } else if (this.#stops.hasStopped(ticket)) messages.stopped += 1
    else {
      const how = `done after ${ticket.outputs} responses, without a stop`
      addExample(messages.incomplete, `${node}: ${how}`)
    }
  }

  #fail({ node, message, outputs, isNotSaid }: Ticket, failure: string): void {
    count(this.#messages.failed, failure)
    this.#catches.add(`${node} ${message}`, 1)
    if (outputs > (isNotSaid ? 1 : 0))
      addExample(this.#messages.incomplete, `${node}: a complete response, then ${failure}`)
  }

  #sent(event: Sent): void {
    const messages = this.#messages
    messages.sent += 1
    const { node, audio, answer } = event
    if (answer) count(messages.answers, answer)
    const { problem, isEnd } = this.#sequences.add(event)
    if (problem) addExample(messages.wrong, `${node}: ${problem}`)
    if (event.isClosing) addExample(messages.wrong, `${node}: sent after it was closed`)
    if (!isEnd || event.ticket === undefined) return
    const ticket = this.#tickets.get(event.ticket)
    if (!ticket || ticket.isDone) addExample(messages.duplicates, `${node}: sent after done`)
    else {
      ticket.outputs += 1
      if (event.report?.startsWith('not ')) ticket.isNotSaid = true
    }
    if (!audio) return
    messages.utterances += 1
    messages.audioSeconds += audio.durationSeconds ?? 0
  }
}

function sendsAnyNumber(node: string): boolean {
  return ['each', 'conversation'].includes(roleOf(node))
}

function addExample(examples: string[], text: string): void {
  if (examples.length < maxExamples) examples.push(text)
}

/** Knows which messages a node had received before its last stop. Time is the number of events. */
function createStops() {
  let now = 0
  const stoppedAt = new Map<string, number>()
  const sequencesBegunAt = new Map<string, number>()
  return {
    tick() {
      now += 1
    },
    /** @returns the time of a message. All messages of a sequence have the time of its first: a stop ends the sequence. */
    begin({ node, sequence, isClosing }: Received): number {
      if (isClosing) return 0
      if (sequence === undefined) return now
      const key = `${node} ${sequence}`
      const begunAt = sequencesBegunAt.get(key) ?? now
      sequencesBegunAt.set(key, begunAt)
      return begunAt
    },
    stop: (node: string) => stoppedAt.set(node, now),
    hasStopped: ({ node, at }: Ticket) => at < (stoppedAt.get(node) ?? 0),
  }
}
