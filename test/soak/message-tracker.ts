import { createBalance } from './balance.ts'
import { roleOf } from './flow.ts'
import type { Done, FlowEvent, Received, Sent } from './flow-event.ts'
import { createLastingWork } from './lasting-work.ts'
import { count, emptyMessageStats, type MessageStats } from './message-stats.ts'
import { createSequences } from './sequences.ts'

/** Tracks all messages: takes their events, and returns statistics. */
export interface MessageTracker {
  note(event: FlowEvent): void
  /** The number of messages that are not done, of texts that are still to be read, and of reminders that are not due. */
  readonly open: number
  readonly utterances: number
  /** Call it at rest: messages that are open then count as lost. */
  close(): MessageStats
}

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

export function createMessageTracker(): MessageTracker {
  const messages = emptyMessageStats()
  const tickets = new Map<number, Ticket>()
  const done: number[] = []
  const sequences = createSequences()
  const stops = createStops()
  const catches = createBalance()
  const lasting = createLastingWork()
  let open = 0

  const note = (examples: string[], text: string) => {
    if (examples.length < maxExamples) examples.push(text)
  }

  const received = (event: Received) => {
    messages.received += 1
    if (!event.isDelivered) {
      messages.undelivered += 1
      return
    }
    open += 1
    const { node, control, ticket } = event
    const at = stops.begin(event)
    if (control === 'stop' || node.endsWith('-replace')) stops.stop(node)
    tickets.set(ticket, { ...event, at, isDone: false, outputs: 0, isNotSaid: false })
  }

  const end = ({ ticket: number, failure, node }: Done) => {
    const ticket = tickets.get(number)
    if (!ticket || ticket.isDone) {
      note(messages.duplicates, `${node}: ${failure ?? 'done'}`)
      return
    }
    ticket.isDone = true
    open -= 1
    done.push(number)
    if (done.length > rememberedTickets) tickets.delete(done.shift()!)
    const unfinished = sequences.discard(node, ticket.message)
    if (failure !== undefined) fail(ticket, failure)
    else if (ticket.control) messages.control += 1
    else if (unfinished === 0 && (ticket.outputs === 1 || roleOf(node) === 'each')) {
      messages.completed += 1
      count(messages.completedBy, node)
    } else if (stops.hasStopped(ticket)) messages.stopped += 1
    else
      note(messages.incomplete, `${node}: done after ${ticket.outputs} responses, without a stop`)
  }

  const fail = ({ node, message, outputs, isNotSaid }: Ticket, failure: string) => {
    count(messages.failed, failure)
    catches.add(`${node} ${message}`, 1)
    if (outputs > (isNotSaid ? 1 : 0))
      note(messages.incomplete, `${node}: a complete response, then ${failure}`)
  }

  const sent = (event: Sent) => {
    messages.sent += 1
    const { node, audio } = event
    const { problem, isEnd } = sequences.add(event)
    if (problem) note(messages.wrong, `${node}: ${problem}`)
    if (event.isClosing) note(messages.wrong, `${node}: sent after it was closed`)
    if (!isEnd || event.ticket === undefined) return
    const ticket = tickets.get(event.ticket)
    if (!ticket || ticket.isDone) note(messages.duplicates, `${node}: sent after done`)
    else {
      ticket.outputs += 1
      if (event.report?.startsWith('not ')) ticket.isNotSaid = true
    }
    if (!audio) return
    messages.utterances += 1
    messages.audioSeconds += audio.durationSeconds ?? 0
  }

  return {
    note(event) {
      stops.tick()
      lasting.note(event)
      if (event.is === 'received') received(event)
      else if (event.is === 'done') end(event)
      else if (event.is === 'sent') sent(event)
      else if (event.is === 'closed') stops.stop(event.node)
      else if (!lasting.isPause(event)) catches.add(`${event.node} ${event.message}`, -1)
    },
    get open() {
      return open + lasting.open
    },
    get utterances() {
      return messages.utterances
    },
    close() {
      for (const { isDone, node } of tickets.values()) if (!isDone) note(messages.lost, node)
      const { lost, duplicates } = lasting.problems()
      for (const name of lost) note(messages.lost, `${name}: a text or a reminder without an end`)
      for (const name of duplicates) note(messages.duplicates, `${name}: ended twice`)
      for (const [key, difference] of catches.left()) {
        note(
          messages.notCaughtOnce,
          `${key}: ${difference > 0 ? 'not caught' : 'caught too often'}`,
        )
      }
      return messages
    },
  }
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
