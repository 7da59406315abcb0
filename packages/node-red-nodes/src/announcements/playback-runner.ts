import type { Node, NodeAPI } from 'node-red'
import { type Failure, toFailure } from '../shared/failure.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { AnnouncementReport } from './announcement.ts'
import { createPlaybackStatus, type Progress } from './playback-status.ts'

/** Plays the messages of one node: shows their progress, stops them, and ends them when the node is closed. */
export interface PlaybackRunner {
  /** @param end ends the message, with a failure for Catch. */
  start(job: PlaybackJob, end: (failure?: Failure) => void): void
  /** Stops the playbacks of a topic, or all. */
  stop(topic?: string): void
  /** Stops all playbacks, and resolves when they have ended. */
  close(): Promise<void>
  /** Aborted when the node is closed: it must not send anything from then on. */
  readonly closed: AbortSignal
}

export interface PlaybackJob {
  topic?: string
  play(playback: Playback): Promise<AnnouncementReport>
  /** Sends the message with the outcome. */
  send(report: AnnouncementReport): void
}

export interface Playback {
  /** Aborted when the playback is stopped. */
  signal: AbortSignal
  show(state: Progress['state'], speakers: readonly Speaker[]): void
}

interface Running extends Progress {
  topic: string | undefined
  controller: AbortController
  ended: Promise<void>
}

export function createPlaybackRunner(RED: NodeAPI, node: Node): PlaybackRunner {
  const running = new Set<Running>()
  const status = createPlaybackStatus(RED, node, running)
  const closing = new AbortController()

  const run = async (job: PlaybackJob, own: Running): Promise<Failure | undefined> => {
    const { signal } = own.controller
    const show = (state: Progress['state'], speakers: readonly Speaker[]) => {
      own.state = state
      // Only now is known where the default loudspeaker plays.
      own.where = speakers.map(({ name }) => name).join(', ')
      if (state === 'retrying') status.retrying()
      else status.changed()
    }
    status.changed()
    try {
      const report = await job.play({ signal, show })
      running.delete(own)
      if (closing.signal.aborted) return undefined
      status.ended(report)
      job.send(report)
      return undefined
    } catch (error) {
      running.delete(own)
      if (closing.signal.aborted) return undefined
      if (signal.aborted && error === signal.reason) {
        status.changed()
        return undefined
      }
      status.failed(error)
      return toFailure(error)
    }
  }

  const stop = (topic?: string) => {
    for (const own of running) {
      if (topic === undefined || topic === own.topic) own.controller.abort()
    }
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
