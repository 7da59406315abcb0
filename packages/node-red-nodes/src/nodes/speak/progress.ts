import type { Node } from 'node-red'
import type { AudioFacts } from './speech-messages.ts'

type Translate = (key: string, options?: Record<string, string | number>) => string

/** Shows on the node what it does, never what it says. */
export interface Progress {
  started(): void
  spoke(audio: AudioFacts): void
  finished(wasStopped: boolean): void
  failed(code: string): void
}

// The editor gets every change of status; a chunk can come every few milliseconds.
const leastIntervalMs = 250

const shortCauses = new Set([
  'INVALID_INPUT',
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'UNIMPLEMENTED',
  'NOT_REACHABLE',
  'CONNECTION_LOST',
  'TIMEOUT',
  'BAD_ANSWER',
  'LINE_TOO_LONG',
  'NO_AUDIO',
])

export function createProgress(node: Node, translate: Translate, waiting: () => number): Progress {
  let chunks = 0
  let shownAt = 0
  let latest: AudioFacts | undefined

  const showWork = () => {
    shownAt = performance.now()
    const queue = waiting()
    const key = queue > 0 ? 'speak.status.speaking-and-waiting' : 'speak.status.speaking'
    node.status({ fill: 'blue', shape: 'dot', text: translate(key, { chunks, waiting: queue }) })
  }

  return {
    started() {
      chunks = 0
      latest = undefined
      showWork()
    },
    spoke(audio) {
      chunks += 1
      latest = audio
      if (performance.now() - shownAt >= leastIntervalMs) showWork()
    },
    finished(wasStopped) {
      if (wasStopped || !latest) return void node.status({})
      const { durationSeconds, firstAudioMs, bytes } = latest
      const key = durationSeconds === undefined ? 'speak.status.spoke-bytes' : 'speak.status.spoke'
      const text = translate(key, {
        seconds: durationSeconds?.toFixed(1) ?? '',
        kilobytes: Math.ceil(bytes / 1024),
        first: Math.round(firstAudioMs ?? 0),
      })
      node.status({ fill: 'green', shape: 'dot', text })
    },
    failed(code) {
      const cause = shortCauses.has(code) ? code : 'other'
      node.status({ fill: 'red', shape: 'ring', text: translate(`speak.cause.${cause}`) })
    },
  }
}
