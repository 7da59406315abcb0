import type { Node, NodeAPI, NodeStatus } from 'node-red'
import type { AnnouncementReport } from '../../announcements/announcement.ts'
import { failedStatus } from '../../shared/status.ts'
import { sharedKey, sharedText } from '../../shared/texts.ts'

/** An announcement in progress. */
export interface Progress {
  state: 'starting' | 'waiting' | 'saying' | 'retrying'
  /** The names of its loudspeakers. */
  where: string
}

/** Shows what a node announces and where, and then what became of it; never the text. */
export interface AnnounceStatus {
  /** The announcements in progress have changed. */
  changed(): void
  /** Shows the retry, also when an earlier one is still shown. */
  retrying(): void
  ended(report: AnnouncementReport): void
  failed(error: unknown): void
  /** Shows nothing from now on. */
  close(): void
}

export function createAnnounceStatus(
  RED: NodeAPI,
  node: Node,
  inProgress: ReadonlySet<Progress>,
): AnnounceStatus {
  let conclusion: NodeStatus = {}
  let shown = ''
  let pending: NodeJS.Immediate | undefined

  const show = (status: NodeStatus) => {
    const next = JSON.stringify(status)
    if (next !== shown) node.status(status)
    shown = next
  }
  // A flow may send thousands of messages in one turn of the event loop, and the editor receives every status.
  const changed = () => {
    pending ??= setImmediate(() => {
      pending = undefined
      show(inProgress.size > 0 ? progressStatus(RED, [...inProgress]) : conclusion)
    })
  }

  return {
    changed,
    retrying() {
      shown = ''
      changed()
    },
    ended(report) {
      conclusion = reportStatus(RED, report)
      changed()
    },
    failed(error) {
      conclusion = failedStatus(error)
      changed()
    },
    close() {
      clearImmediate(pending)
      pending = undefined
      conclusion = {}
      node.status({})
    },
  }
}

function progressStatus(RED: NodeAPI, inProgress: readonly Progress[]): NodeStatus {
  if (inProgress.some(({ state }) => state === 'retrying')) {
    return { fill: 'yellow', shape: 'ring', text: sharedKey('status.retrying') }
  }
  const texts: string[] = []
  const current = inProgress.find(({ state }) => state === 'saying')
  if (current) texts.push(RED._('announce.status.saying', { where: current.where }))
  const count = inProgress.filter(({ state }) => state === 'waiting').length
  if (count > 0) texts.push(sharedText(RED, 'status.waiting', { count }))
  const text = texts.length > 0 ? texts.join(', ') : sharedKey('status.starting')
  return { fill: 'blue', shape: 'dot', text }
}

function reportStatus(RED: NodeAPI, report: AnnouncementReport): NodeStatus {
  if (report.status === 'not said') {
    const reason = RED._(`announce.reason.${report.reason?.replaceAll(' ', '-')}`)
    const text = RED._('announce.status.not-said', { reason })
    return { fill: 'yellow', shape: 'dot', text }
  }
  const namesOf = (status: string) =>
    report.speakers.flatMap((speaker) => (speaker.status === status ? speaker.name : [])).join(', ')
  const where = namesOf('said')
  const failed = namesOf('failed')
  if (failed) {
    const text = RED._('announce.status.said-not-on', { where, failed })
    return { fill: 'yellow', shape: 'dot', text }
  }
  const time = new Date().toTimeString().slice(0, 5)
  return { fill: 'green', shape: 'dot', text: RED._('announce.status.said', { where, time }) }
}
