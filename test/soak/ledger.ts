import { type Role, roleOf } from './flow.ts'
import type { Caught, Done, FlowEvent, Received, Sent } from './flow-event.ts'
import { beginSequence, extend, problemOfEnd, type Sequence } from './utterance.ts'

/** What became of the messages, in numbers, and what should not have. */
export interface Account {
  received: number
  /** By how they ended. */
  completed: number
  /** By node: how many of these. */
  completedBy: Record<string, number>
  stopped: number
  orders: number
  /** Came to a node that Node-RED had closed already. */
  unheard: number
  /** By the code of the failure, or its message. */
  failed: Record<string, number>
  /** Chunks, sentences and whole answers. */
  sent: number
  utterances: number
  audioSeconds: number
  lost: string[]
  doubled: string[]
  /** Failures that Catch did not get, or got more than once. */
  badlyReported: string[]
  /** Neither whole nor failed nor stopped, or two of these. */
  incomplete: string[]
  /** Whole utterances that are not what they should be. */
  wrong: string[]
}

interface Ticket extends Received {
  /** How many events were there before. */
  at: number
  isDone: boolean
  outputs: number
}

/** The book of all messages: events in, account out. */
export interface Ledger {
  note(event: FlowEvent): void
  /** How many messages are not done. */
  readonly open: number
  readonly utterances: number
  /** To be called when all is quiet: what is open then is lost. */
  close(): Account
}

// A doubled `done` comes at once or never; more need not be remembered.
const rememberedTickets = 10_000
const mostExamples = 20

export function createLedger(): Ledger {
  const account: Account = {
    ...{
      received: 0,
      completed: 0,
      completedBy: {},
      stopped: 0,
      orders: 0,
      unheard: 0,
      failed: {},
    },
    ...{ sent: 0, utterances: 0, audioSeconds: 0 },
    ...{ lost: [], doubled: [], badlyReported: [], incomplete: [], wrong: [] },
  }
  const tickets = new Map<number, Ticket>()
  const done: number[] = []
  const sequences = new Map<string, Sequence>()
  /** By node: when everything before was stopped. */
  const stops = new Map<string, number>()
  /** By node and sequence: when its first message came, since one that was stopped stays so. */
  const sequenceStarts = new Map<string, number>()
  /** By node and message: failures that Catch has not got. */
  const uncaught = new Map<string, number>()
  /** By what was asked for: the bytes that it always has. */
  const knownBytes = new Map<string, number>()
  let open = 0
  let now = 0

  const example = (of: string[], text: string) => of.length < mostExamples && of.push(text)

  const received = (event: Received) => {
    account.received += 1
    if (!event.isHeard) {
      account.unheard += 1
      return
    }
    const { node, sequence, order, ticket } = event
    open += 1
    if (order === 'stop' || node.endsWith('-replace')) stops.set(node, now)
    const key = `${node} ${sequence}`
    const at = sequence === undefined ? now : (sequenceStarts.get(key) ?? now)
    if (sequence !== undefined) sequenceStarts.set(key, at)
    tickets.set(ticket, { ...event, at: event.isClosing ? -1 : at, isDone: false, outputs: 0 })
  }

  const isDone = ({ ticket: number, failure, node }: Done) => {
    const ticket = tickets.get(number)
    if (!ticket || ticket.isDone) {
      example(account.doubled, `${node}: ${failure ?? 'done'}`)
      return
    }
    ticket.isDone = true
    open -= 1
    forgetOldest(number)
    const left = sequencesOf(ticket)
    for (const id of left) sequences.delete(id)
    if (failure !== undefined) {
      account.failed[failure] = (account.failed[failure] ?? 0) + 1
      owe(`${node} ${ticket.message}`, 1)
      if (ticket.outputs > 0) example(account.incomplete, `${node}: sent, then ${failure}`)
    } else if (ticket.order) account.orders += 1
    else if (left.length === 0 && (ticket.outputs === 1 || roleOf(node) === 'each')) complete(node)
    else if (ticket.at < (stops.get(node) ?? -1)) account.stopped += 1
    else
      example(account.incomplete, `${node}: done with ${ticket.outputs} outputs, by nobody stopped`)
  }

  const complete = (node: string) => {
    account.completed += 1
    account.completedBy[node] = (account.completedBy[node] ?? 0) + 1
  }

  const sequencesOf = ({ node, message }: Ticket) =>
    [...sequences].flatMap(([key, sequence]) =>
      key.startsWith(`${node} `) && sequence.message === message ? [key] : [],
    )

  const forgetOldest = (number: number) => {
    done.push(number)
    if (done.length > rememberedTickets) tickets.delete(done.shift()!)
  }

  const owe = (key: string, count: number) => {
    const owed = (uncaught.get(key) ?? 0) + count
    if (owed === 0) uncaught.delete(key)
    else uncaught.set(key, owed)
  }

  const sent = (event: Sent) => {
    account.sent += 1
    const role = roleOf(event.node)
    const key = `${event.node} ${event.parts?.id}`
    const isPart = isSequence(role)
    const sequence = isPart ? (sequences.get(key) ?? beginSequence(event)) : undefined
    const problem = event.isClosing
      ? 'sent after it was closed'
      : sequence && extend(sequence, event)
    if (problem) example(account.wrong, `${event.node}: ${problem}`)
    if (sequence) sequences.set(key, sequence)
    const isEnd =
      role === 'each' ? event.parts?.count === sequence?.next : event.ticket !== undefined
    if (!isEnd) return
    sequences.delete(key)
    if (role !== 'each') ended(role, event, sequence)
  }

  const ended = (role: Role, event: Sent, sequence?: Sequence) => {
    const ticket = tickets.get(event.ticket!)
    if (!ticket || ticket.isDone) example(account.doubled, `${event.node}: sent after done`)
    else ticket.outputs += 1
    const problem = problemOfEnd(role, event, sequence) ?? problemOfRepeat(event)
    if (problem) example(account.wrong, `${event.node}: ${problem}`)
    if (!event.audio) return
    account.utterances += 1
    account.audioSeconds += event.audio.durationSeconds ?? 0
  }

  /** Speech that was asked for before sounds as it did. */
  const problemOfRepeat = ({ audio, asked }: Sent): string | undefined => {
    // The sentences of an answer are not what was asked for.
    if (!audio || asked?.pace === undefined) return undefined
    const { encoding, sampleRateHertz, voiceId, modelId, bytes } = audio
    const key = [asked.text, asked.pace, voiceId, modelId, encoding, sampleRateHertz].join()
    const before = knownBytes.get(key)
    knownBytes.set(key, bytes)
    if (before === undefined || before === bytes) return undefined
    return `${bytes} bytes of ${encoding}, and ${before} for the same text before`
  }

  return {
    note(event) {
      now += 1
      if (event.is === 'received') received(event)
      else if (event.is === 'done') isDone(event)
      else if (event.is === 'sent') sent(event)
      else if (event.is === 'closed') stops.set(event.node, now)
      else owe(keyOf(event), -1)
    },
    get open() {
      return open
    },
    get utterances() {
      return account.utterances
    },
    close() {
      for (const ticket of tickets.values()) {
        if (!ticket.isDone) example(account.lost, ticket.node)
      }
      for (const [key, owed] of uncaught) {
        example(account.badlyReported, `${key}: ${owed > 0 ? 'not caught' : 'caught too often'}`)
      }
      return account
    },
  }
}

function keyOf({ node, message }: Caught): string {
  return `${node} ${message}`
}

function isSequence(role: Role): boolean {
  return role === 'chunks' || role === 'sentences' || role === 'each'
}
