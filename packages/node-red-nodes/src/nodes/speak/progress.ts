import type { NodeAPI } from 'node-red'
import type { WorkStatus } from '../../shared/status.ts'
import type { AudioFacts } from './speech-messages.ts'

/** Shows how far an utterance has come, and at its end how long it is and how soon it began. */
export function createProgress(RED: NodeAPI, status: WorkStatus) {
  let chunks = 0
  return {
    spoke({ durationSeconds, firstAudioMs, bytes }: AudioFacts): void {
      chunks += 1
      status.working(RED._('speak.status.speaking', { chunks }))
      const key = durationSeconds === undefined ? 'speak.status.spoke-bytes' : 'speak.status.spoke'
      const text = RED._(key, {
        seconds: durationSeconds?.toFixed(1) ?? '',
        kilobytes: Math.ceil(bytes / 1024),
        first: Math.round(firstAudioMs ?? 0),
      })
      status.conclude(text)
    },
  }
}
