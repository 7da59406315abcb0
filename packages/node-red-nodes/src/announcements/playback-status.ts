import type { Node, NodeAPI, NodeStatus } from 'node-red'
import { failedStatus } from '../runtime/status.ts'
import { sharedKey, sharedText } from '../runtime/texts.ts'
import type { SpeakerError } from '../speakers/speaker-error.ts'
import type { AnnouncementReport } from './announcement.ts'

/** An announcement or a sound in progress. */
export interface Progress {
  state: 'starting' | 'waiting' | 'saying' | 'repeating' | 'retrying'
  /** The names of its speakers. */
  where: string
  /** Why it could not be said; it is said again. */
  error?: unknown
}

/** Shows where a node announces or plays, and then what became of it; never the text. */
export interface PlaybackStatus {
  /** A sound has begun, which may be a part of a sequence. */
  begun(sequenceId: string | undefined): void
  /** The sounds in progress, or the state of one, have changed. */
  changed(): void
  /** Shows the retry, also when an earlier one is still shown. */
  retrying(): void
  /** @param isWarned whether the text was not spoken as it is written. */
  ended(report: AnnouncementReport, isWarned: boolean): void
  failed(error: unknown): void
  /** Shows that a message had no effect. */
  hadNoEffect(text: string): void
  /** Shows nothing from now on. */
  close(): void
}

export function createPlaybackStatus(
  RED: NodeAPI,
  node: Node,
  inProgress: ReadonlySet<Progress>,
): PlaybackStatus {
  let conclusion: NodeStatus = {}
  let sequenceId: string | undefined
  let shown = ''
  let pending: NodeJS.Immediate | undefined
  let endWait = () => {}

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

  /** Keeps the worst of several sounds: the good end of one does not hide that another was not heard. */
  const conclude = (status: NodeStatus) => {
    if (rankOf(status) >= rankOf(conclusion)) conclusion = status
    changed()
  }

  /** Clears a failure that is over, such as that of a page that nobody had opened. */
  const clearWhenSolved = (error: unknown) => {
    const { whenSolved } = (error instanceof Error ? error : {}) as Partial<SpeakerError>
    const failure = conclusion
    endWait()
    endWait = whenSolved
      ? whenSolved(() => {
          if (conclusion === failure) conclusion = {}
          changed()
        })
      : () => {}
  }

  return {
    begun(id) {
      const isAlone = inProgress.size <= 1
      if (isAlone && (id === undefined || id !== sequenceId)) conclusion = {}
      sequenceId = id
      changed()
    },
    changed,
    retrying() {
      shown = ''
      changed()
    },
    ended: (report, isWarned) => conclude(reportStatus(RED, report, isWarned)),
    failed(error) {
      conclude(failedStatus(error))
      clearWhenSolved(error)
    },
    hadNoEffect(text) {
      conclusion = { fill: 'yellow', shape: 'ring', text }
      changed()
    },
    close() {
      endWait()
      clearImmediate(pending)
      pending = undefined
      conclusion = {}
      node.status({})
    },
  }
}

function rankOf({ fill }: NodeStatus): number {
  return [undefined, 'green', 'yellow', 'red'].indexOf(fill)
}

function progressStatus(RED: NodeAPI, inProgress: readonly Progress[]): NodeStatus {
  if (inProgress.some(({ state }) => state === 'retrying')) {
    return { fill: 'yellow', shape: 'ring', text: sharedKey('status.retrying') }
  }
  const texts: string[] = []
  const current = inProgress.find(({ state }) => state === 'saying')
  if (current) texts.push(sharedText(RED, 'playback.playing', { where: current.where }))
  const failing = inProgress.find(({ error }) => error !== undefined)
  if (failing && !current) return failedStatus(failing.error)
  const countOf = (wanted: Progress['state']) =>
    inProgress.filter(({ state }) => state === wanted).length
  const waiting = countOf('waiting')
  if (waiting > 0) texts.push(sharedText(RED, 'status.waiting', { count: waiting }))
  const repeating = countOf('repeating')
  if (repeating > 0) texts.push(sharedText(RED, 'playback.repeats', { count: repeating }))
  const text = texts.length > 0 ? texts.join(', ') : sharedKey('status.starting')
  return { fill: 'blue', shape: 'dot', text }
}

function reportStatus(RED: NodeAPI, report: AnnouncementReport, isWarned: boolean): NodeStatus {
  if (report.status === 'not said') {
    const reason = reasonText(RED, report)
    const text = sharedText(RED, 'playback.not-played', { reason })
    return { fill: 'yellow', shape: 'dot', text }
  }
  const namesOf = (status: string) =>
    report.speakers.flatMap((speaker) => (speaker.status === status ? speaker.name : [])).join(', ')
  const where = namesOf('said')
  const failed = namesOf('failed')
  if (failed) {
    const text = sharedText(RED, 'playback.played-not-on', { where, failed })
    return { fill: 'yellow', shape: 'dot', text }
  }
  if (isWarned) return { fill: 'yellow', shape: 'dot', text: sharedKey('status.not-as-written') }
  const time = new Date().toTimeString().slice(0, 5)
  const ending = report.acknowledged ? 'acknowledged' : 'played'
  return {
    fill: 'green',
    shape: 'dot',
    text: sharedText(RED, `playback.${ending}`, { where, time }),
  }
}

/** Why something was not said or played. */
export function reasonText(RED: NodeAPI, { reason }: Pick<AnnouncementReport, 'reason'>): string {
  return sharedText(RED, `playback.reason.${reason?.replaceAll(' ', '-')}`)
}
