import { type AudioStats, count, emptyAudioStats } from './account.ts'
import { roleOf } from './flow.ts'
import type { Done, FlowEvent, Received, Sent } from './flow-event.ts'
import { createSequences } from './sequences.ts'

/** The ledger of all messages: it receives events and returns counts. */
export interface Ledger {
  note(event: FlowEvent): void
  /** How many messages are not done. */
  readonly open: number
  readonly utterances: number
  /** Call it after the load: messages that are still open are lost. */
  close(): AudioStats
}

interface Ticket extends Received {
  /** The number of events before it, or before its sequence. */
  at: number
  isDone: boolean
  outputs: number
}

// A duplicate `done` follows at once or never, so a short memory is enough.
const rememberedTickets = 10_000
const maxExamples = 20

export function createLedger(): Ledger {
  const audioStats = emptyAudioStats()
  const tickets = new Map<number, Ticket>()
  const done: number[] = []
  const sequences = createSequences()
  const stops = createStops()
  const uncaught = createDebts()
  let open = 0

  const note = (examples: string[], text: string) => {
    if (examples.length < maxExamples) examples.push(text)
  }

  const received = (event: Received) => {
    audioStats.received += 1
    if (!event.isHeard) {
      audioStats.unheard += 1
      return
    }
    open += 1
    const { node, order, ticket } = event
    const at = stops.begin(event)
    if (order === 'stop' || node.endsWith('-replace')) stops.stop(node)
    tickets.set(ticket, { ...event, at, isDone: false, outputs: 0 })
  }

  const end = ({ ticket: number, failure, node }: Done) => {
    const ticket = tickets.get(number)
    if (!ticket || ticket.isDone) {
      note(audioStats.doubled, `${node}: ${failure ?? 'done'}`)
      return
    }
    ticket.isDone = true
    open -= 1
    done.push(number)
    if (done.length > rememberedTickets) tickets.delete(done.shift()!)
    const unended = sequences.leave(node, ticket.message)
    if (failure !== undefined) fail(ticket, failure)
    else if (ticket.order) audioStats.orders += 1
    else if (unended === 0 && (ticket.outputs === 1 || roleOf(node) === 'each')) {
      audioStats.completed += 1
      count(audioStats.completedBy, node)
    } else if (stops.hasStopped(ticket)) audioStats.stopped += 1
    else
      note(
        audioStats.incomplete,
        `${node}: done after ${ticket.outputs} answers, stopped by nobody`,
      )
  }

  const fail = ({ node, message, outputs }: Ticket, failure: string) => {
    count(audioStats.failed, failure)
    uncaught.add(`${node} ${message}`, 1)
    if (outputs > 0) note(audioStats.incomplete, `${node}: a whole answer, then ${failure}`)
  }

  const sent = (event: Sent) => {
    audioStats.sent += 1
    const { node, audio } = event
    const { problem, isEnd } = sequences.add(event)
    if (problem) note(audioStats.wrong, `${node}: ${problem}`)
    if (event.isClosing) note(audioStats.wrong, `${node}: sent after it was closed`)
    if (!isEnd || event.ticket === undefined) return
    const ticket = tickets.get(event.ticket)
    if (!ticket || ticket.isDone) note(audioStats.doubled, `${node}: sent after done`)
    else ticket.outputs += 1
    if (!audio) return
    audioStats.utterances += 1
    audioStats.audioSeconds += audio.durationSeconds ?? 0
  }

  return {
    note(event) {
      stops.tick()
      if (event.is === 'received') received(event)
      else if (event.is === 'done') end(event)
      else if (event.is === 'sent') sent(event)
      else if (event.is === 'closed') stops.stop(event.node)
      else uncaught.add(`${event.node} ${event.message}`, -1)
    },
    get open() {
      return open
    },
    get utterances() {
      return audioStats.utterances
    },
    close() {
      for (const { isDone, node } of tickets.values()) if (!isDone) note(audioStats.lost, node)
      for (const [key, owed] of uncaught.left()) {
        note(audioStats.badlyReported, `${key}: ${owed > 0 ? 'not caught' : 'caught too often'}`)
      }
      return audioStats
    },
  }
}

/** Knows which messages arrived before a node was stopped. Time is counted in events. */
function createStops() {
  let now = 0
  const stoppedAt = new Map<string, number>()
  const sequencesBegunAt = new Map<string, number>()
  return {
    tick() {
      now += 1
    },
    /** @returns when a message arrived; parts of a sequence count as arriving with its first part. */
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

/** Expected occurrences by name, until they have arrived as often. */
function createDebts() {
  const debts = new Map<string, number>()
  return {
    add(name: string, owed: number) {
      const left = (debts.get(name) ?? 0) + owed
      if (left === 0) debts.delete(name)
      else debts.set(name, left)
    },
    left: () => [...debts],
  }
}
