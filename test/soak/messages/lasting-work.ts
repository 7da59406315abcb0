import { roleOf } from '../flow/nodes.ts'
import { createBalance } from './balance.ts'
import type { Caught, FlowEvent, Received, Sent } from './flow-event.ts'

/**
 * Follows what lasts longer than a message at a node: texts that are read aloud, which go on after a deploy, and reminders.
 * Each text must be reported once, and each reminder must be due once, unless somebody has cancelled it.
 */
export interface LastingWork {
  note(event: FlowEvent): void
  /** Whether the failure that Catch has received only pauses a text. */
  isPause(event: Caught): boolean
  /** How much has not ended. */
  readonly open: number
  /** What has never ended, and what has ended more than once. */
  problems(): { lost: string[]; duplicates: string[] }
}

export function createLastingWork(): LastingWork {
  const work = createBalance()
  const textOf = ({ node, message }: { node: string; message: string }) => `${node} ${message}`

  const received = (event: Received) => {
    const { node, control, isDelivered } = event
    if (!isDelivered) return
    const role = roleOf(node)
    if (role === 'text' && !control) work.add(textOf(event), 1)
    if (role === 'reminder' && control === 'stop') work.forget(`${node} `)
  }
  const sent = (event: Sent) => {
    const { node, reminders, report } = event
    if (roleOf(node) === 'text' && report !== undefined) work.add(textOf(event), -1)
    const change = reminders && reminderChanges[reminders.event]
    if (change) for (const id of reminders.ids) work.add(`${node} ${id}`, change)
  }
  return {
    note(event) {
      if (event.is === 'received') received(event)
      else if (event.is === 'sent') sent(event)
    },
    isPause: (event) => roleOf(event.node) === 'text' && work.of(textOf(event)) > 0,
    get open() {
      return work.left().length
    },
    problems() {
      const left = work.left()
      const named = (isWanted: (difference: number) => boolean) =>
        left.flatMap(([name, difference]) => (isWanted(difference) ? [name] : []))
      return { lost: named((each) => each > 0), duplicates: named((each) => each < 0) }
    },
  }
}

const reminderChanges: Readonly<Record<string, number>> = {
  set: 1,
  due: -1,
  late: -1,
  cancelled: -1,
}
