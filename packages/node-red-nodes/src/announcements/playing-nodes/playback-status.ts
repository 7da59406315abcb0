import type { Node, NodeAPI, NodeStatus } from 'node-red'
import { causeKey, failedStatus } from '../../runtime/status.ts'
import { sharedKey, sharedText } from '../../runtime/texts.ts'
import type { SpeakerError } from '../../speakers/speaker-error.ts'
import type { PlaybackReport } from '../playback-report.ts'

/** An announcement or a sound in progress. */
export interface Progress {
  state: 'starting' | 'waiting' | 'saying' | 'repeating' | 'postponed' | 'retrying'
  /** The names of its speakers. */
  where: string
  /** Why it could not be said; it is said again. */
  error?: unknown
}

/** Shows where a node announces or plays, and then what became of it; never the text. */
export class PlaybackStatus {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #inProgress: ReadonlySet<Progress>
  #conclusion: NodeStatus = {}
  #sequenceId: string | undefined
  #shown = ''
  #pending: NodeJS.Immediate | undefined
  #endWait = () => {}

  constructor(RED: NodeAPI, node: Node, inProgress: ReadonlySet<Progress>) {
    this.#RED = RED
    this.#node = node
    this.#inProgress = inProgress
  }

  /** A sound has begun, which may be a part of a sequence. */
  begun(sequenceId: string | undefined): void {
    const isAlone = this.#inProgress.size <= 1
    const isNext = sequenceId !== undefined && sequenceId === this.#sequenceId
    if (isAlone && !isNext) this.#conclusion = {}
    this.#sequenceId = sequenceId
    this.changed()
  }

  /** The sounds in progress, or the state of one, have changed. */
  changed(): void {
    // A flow may send thousands of messages in one turn of the event loop, and the editor receives every status.
    this.#pending ??= setImmediate(() => {
      this.#pending = undefined
      const { size } = this.#inProgress
      this.#show(size > 0 ? progressStatus(this.#RED, [...this.#inProgress]) : this.#conclusion)
    })
  }

  /** Shows the retry, also when an earlier one is still shown. */
  retrying(): void {
    this.#shown = ''
    this.changed()
  }

  /**
   * @param where the names of its speakers.
   * @param isWarned whether the text was not spoken as it is written.
   */
  ended(report: PlaybackReport, where: string, isWarned: boolean): void {
    this.#conclude(reportStatus(this.#RED, report, where, isWarned))
  }

  failed(error: unknown): void {
    this.#conclude(failedStatus(error))
    this.#clearWhenSolved(error)
  }

  /** Shows that a message had no effect. */
  hadNoEffect(text: string): void {
    this.#conclusion = { fill: 'yellow', shape: 'ring', text }
    this.changed()
  }

  /** Shows nothing from now on. */
  close(): void {
    this.#endWait()
    clearImmediate(this.#pending)
    this.#pending = undefined
    this.#conclusion = {}
    this.#node.status({})
  }

  /** Keeps the worst of several sounds: the good end of one does not hide that another was not heard. */
  #conclude(status: NodeStatus): void {
    if (rankOf(status) >= rankOf(this.#conclusion)) this.#conclusion = status
    this.changed()
  }

  /** Clears a failure that is over, such as that of a page that nobody had opened. */
  #clearWhenSolved(error: unknown): void {
    const { whenSolved } = (error instanceof Error ? error : {}) as Partial<SpeakerError>
    const failure = this.#conclusion
    this.#endWait()
    const clear = () => {
      if (this.#conclusion === failure) this.#conclusion = {}
      this.changed()
    }
    this.#endWait = whenSolved?.(clear) ?? (() => {})
  }

  #show(status: NodeStatus): void {
    const next = JSON.stringify(status)
    if (next !== this.#shown) this.#node.status(status)
    this.#shown = next
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
  const postponed = countOf('postponed')
  if (postponed > 0) texts.push(sharedText(RED, 'playback.postponed', { count: postponed }))
  const text = texts.length > 0 ? texts.join(', ') : sharedKey('status.starting')
  return { fill: 'blue', shape: 'dot', text }
}

function reportStatus(
  RED: NodeAPI,
  report: PlaybackReport,
  speakers: string,
  isWarned: boolean,
): NodeStatus {
  if (report.status === 'not said') {
    const reason = reasonText(RED, report)
    const text = sharedText(RED, 'playback.not-played', { reason })
    return { fill: 'yellow', shape: 'dot', text }
  }
  const namesOf = (status: string) =>
    report.speakers.flatMap((speaker) => (speaker.status === status ? speaker.name : [])).join(', ')
  // What was acknowledged before its end has no report of its speakers.
  const where = namesOf('said') || speakers
  const failed = namesOf('failed')
  if (failed) {
    const text = sharedText(RED, 'playback.played-not-on', { where, failed })
    return { fill: 'yellow', shape: 'dot', text }
  }
  if (report.standIn) {
    const reason = RED._(causeKey(report.standIn.error.code))
    const text = sharedText(RED, 'playback.played-by-stand-in', { where, reason })
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
export function reasonText(RED: NodeAPI, { reason }: Pick<PlaybackReport, 'reason'>): string {
  return sharedText(RED, `playback.reason.${reason?.replaceAll(' ', '-')}`)
}
