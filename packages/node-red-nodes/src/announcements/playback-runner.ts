import type { Node, NodeAPI } from 'node-red'
import { type Failure, toFailure } from '../runtime/failure.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { AnnouncementReport } from './announcement.ts'
import { createPlaybackStatus, type Progress } from './playback-status.ts'

/** Plays the messages of one node: shows their progress, stops them, and ends them when the node is closed. */
export interface PlaybackRunner {
  /** @param end ends the message, with a failure for Catch. */
  start(job: PlaybackJob, end: (failure?: Failure) => void): void
  /** Stops the playbacks of a topic, or all. @returns how many there were. */
  stop(topic?: string): number
  /** Shows that a message had no effect. */
  showNoEffect(text: string): void
  /** Stops all playbacks, and resolves when they have ended. */
  close(): Promise<void>
  /** Aborted when the node is closed: it must not send anything from then on. */
  readonly closed: AbortSignal
}

export interface PlaybackJob {
  topic?: string | undefined
  sequenceId: string | undefined
  play(playback: Playback): Promise<AnnouncementReport>
  /** Sends the message with the outcome, and the warning if there was one. */
  send(report: AnnouncementReport, warning?: string): void
  /** Called for a failure, before the message ends with it. */
  failed?(failure: Failure): void
  /** Called instead if the node is closed, with the outcome if it is known. */
  closed?(report?: AnnouncementReport): void
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

export function createPlaybackRunner(RED: NodeAPI, node: Node): PlaybackRunner {
  const running = new Set<Running>()
  const status = createPlaybackStatus(RED, node, running)
  const closing = new AbortController()

  const run = async (job: PlaybackJob, own: Running): Promise<Failure | undefined> => {
    const { signal } = own.controller
    const show = (state: Progress['state'], speakers: readonly Speaker[]) => {
      own.state = state
      if (state === 'saying') delete own.error
      // Only now is known where the default speaker plays.
      own.where = speakers.map(({ name }) => name).join(', ')
      if (state === 'retrying') status.retrying()
      else status.changed()
    }
    const showFailure = (error: unknown) => {
      own.error = error
      status.changed()
    }
    const warn = (warning: string) => {
      own.warning = warning
    }
    status.begun(job.sequenceId)
    try {
      const report = await job.play({ signal, show, showFailure, warn })
      running.delete(own)
      if (closing.signal.aborted) {
        job.closed?.(report)
        return undefined
      }
      warnOfSilence(report)
      status.ended(report, own.warning !== undefined)
      job.send(report, own.warning)
      return undefined
    } catch (error) {
      running.delete(own)
      if (closing.signal.aborted) {
        job.closed?.()
        return undefined
      }
      if (signal.aborted && error === signal.reason) {
        status.changed()
        return undefined
      }
      status.failed(error)
      const failure = toFailure(error)
      job.failed?.(failure)
      return failure
    }
  }

  /** Other speakers have played, so Catch receives no failure. */
  const warnOfSilence = ({ speakers }: AnnouncementReport) => {
    for (const { name, error } of speakers) if (error) node.warn(`${name}: ${error.message}`)
  }

  const stop = (topic?: string) => {
    const stopped = [...running].filter((own) => topic === undefined || topic === own.topic)
    for (const { controller } of stopped) controller.abort()
    return stopped.length
  }

  return {
    start(job, end) {
      const own: Running = {
        topic: job.topic,
        controller: new AbortController(),
        state: 'starting',
        where: '',
        ended: Promise.resolve(),
      }
      running.add(own)
      own.ended = run(job, own).then(end)
    },
    stop,
    showNoEffect: status.hadNoEffect,
    async close() {
      closing.abort()
      // Before the first wait: Node-RED forgets the status of a removed node, and then no longer passes on that it is empty.
      status.close()
      const ends = [...running].map(({ ended }) => ended)
      stop()
      await Promise.all(ends)
      status.close()
    },
    closed: closing.signal,
  }
}
