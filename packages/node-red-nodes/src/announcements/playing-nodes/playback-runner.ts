import type { Node, NodeAPI } from 'node-red'
import { type Failure, toFailure } from '../../runtime/failure.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { PlaybackReport } from '../playback-report.ts'
import { PlaybackStatus, type Progress } from './playback-status.ts'

/** What a node plays for a message. */
export interface PlaybackJob<Report extends PlaybackReport = PlaybackReport> {
  topic?: string | undefined
  sequenceId: string | undefined
  play(playback: Playback): Promise<Report>
  /** Sends the message with the outcome, and the warning if there was one. */
  send(report: Report, warning?: string): void
  /** Called for a failure, before the message ends with it. */
  failed?(failure: Failure): void
  /** Called instead if the node is closed, with the outcome if it is known. */
  closed?(report?: Report): void
}

export interface Playback {
  /** Aborted when the playback is stopped. */
  signal: AbortSignal
  show(state: Progress['state'], speakers: readonly Speaker[]): void
  /** Shows an error as long as the sound waits to be played again. */
  showFailure(error: unknown): void
  /** Notes that a text is not spoken as it is written. */
  warn(warning: string): void
}

interface Running extends Progress {
  topic: string | undefined
  controller: AbortController
  ended: Promise<void>
  warning?: string
}

/** Plays the messages of one node: shows their progress, stops them, and ends them when the node is closed. */
export class PlaybackRunner {
  readonly #node: Node
  readonly #running = new Set<Running>()
  readonly #status: PlaybackStatus
  readonly #closing = new AbortController()
  /** Aborted when the node is closed: it must not send anything from then on. */
  readonly closed = this.#closing.signal

  constructor(RED: NodeAPI, node: Node) {
    this.#node = node
    this.#status = new PlaybackStatus(RED, node, this.#running)
  }

  /** @param end ends the message, with a failure for Catch. */
  start<Report extends PlaybackReport>(
    job: PlaybackJob<Report>,
    end: (failure?: Failure) => void,
  ): void {
    const own: Running = {
      topic: job.topic,
      controller: new AbortController(),
      state: 'starting',
      where: '',
      ended: Promise.resolve(),
    }
    this.#running.add(own)
    // A message that cannot be changed ends, too: a rejection would end Node-RED.
    own.ended = this.#run(job, own).catch(toFailure).then(end)
  }

  /** Stops the playbacks of a topic, or all. @returns how many there were. */
  stop(topic?: string): number {
    const stopped = [...this.#running].filter((own) => topic === undefined || topic === own.topic)
    for (const { controller } of stopped) controller.abort()
    return stopped.length
  }

  showNoEffect(text: string): void {
    this.#status.hadNoEffect(text)
  }

  /** Stops all playbacks, and resolves when they have ended. */
  async close(): Promise<void> {
    this.#closing.abort()
    // Before the first wait: Node-RED forgets the status of a removed node, and then no longer passes on that it is empty.
    this.#status.close()
    const ends = [...this.#running].map(({ ended }) => ended)
    this.stop()
    await Promise.all(ends)
    this.#status.close()
  }

  async #run<Report extends PlaybackReport>(
    job: PlaybackJob<Report>,
    own: Running,
  ): Promise<Failure | undefined> {
    this.#status.begun(job.sequenceId)
    try {
      const report = await job.play(this.#playbackOf(own))
      this.#running.delete(own)
      if (this.closed.aborted) job.closed?.(report)
      else this.#conclude(job, own, report)
      return undefined
    } catch (error) {
      this.#running.delete(own)
      const { signal } = own.controller
      if (this.closed.aborted) job.closed?.()
      else if (signal.aborted && error === signal.reason) this.#status.changed()
      else {
        this.#status.failed(error)
        const failure = toFailure(error)
        try {
          job.failed?.(failure)
        } catch {
          // Reading or changing the message throws, too. The first failure says more.
        }
        return failure
      }
      return undefined
    }
  }

  #playbackOf(own: Running): Playback {
    const status = this.#status
    return {
      signal: own.controller.signal,
      show(state, speakers) {
        own.state = state
        if (state === 'saying') delete own.error
        // It is known only now where the default speaker plays.
        own.where = speakers.map(({ name }) => name).join(', ')
        if (state === 'retrying') status.retrying()
        else status.changed()
      },
      showFailure(error) {
        own.error = error
        status.changed()
      },
      warn(warning) {
        own.warning = warning
      },
    }
  }

  #conclude<Report extends PlaybackReport>(
    job: PlaybackJob<Report>,
    { where, warning }: Running,
    report: Report,
  ): void {
    // Other speakers have played, so Catch receives no failure.
    for (const { name, error } of report.speakers)
      if (error) this.#node.warn(`${name}: ${error.message}`)
    // The text was said, so Catch receives no failure.
    if (report.standIn) this.#node.warn(report.standIn.error.message)
    this.#status.ended(report, where, warning !== undefined)
    job.send(report, warning)
  }
}
