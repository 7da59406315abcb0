import type { RealtimeServerEvent } from '@parlando/core/wire'
import type { ScrapedMetrics } from './scraped-metrics.ts'

/** How often something has happened, by one property of it. */
export type Tally = Map<string, number>

/** Counts for the metrics of sockets, which stay open for long. Plain numbers: counting must not delay speech. */
export interface SocketCounts {
  /** Open sockets, by path. */
  open: Tally
  /** Contexts of speech sockets, by model. */
  contexts: Tally
  /** Open realtime sessions, over WebSockets and calls. */
  sessions: number
  /** Turns of the users of realtime sessions. */
  turns: number
  /** Responses of realtime sessions, by status. */
  responses: Tally
  /** Responses that a user has interrupted. */
  interruptions: number
}

export function createSocketCounts(): SocketCounts {
  return {
    open: new Map(),
    contexts: new Map(),
    sessions: 0,
    turns: 0,
    responses: new Map(),
    interruptions: 0,
  }
}

/** @param by negative for a gauge that decreases. */
export function addToTally(tally: Tally, key: string, by = 1): void {
  tally.set(key, (tally.get(key) ?? 0) + by)
}

/** Counts the event if it ends a turn or a response. */
export function countRealtimeEvent(counts: SocketCounts, event: RealtimeServerEvent): void {
  if (event.type === 'input_audio_buffer.committed') counts.turns++
  if (event.type !== 'response.done') return
  const { status, status_details: details } = event.response
  addToTally(counts.responses, status ?? 'unknown')
  if (details?.reason === 'turn_detected') counts.interruptions++
}

/** Adds the metrics of the sockets. */
export function addSocketMetrics(metrics: ScrapedMetrics, counts: SocketCounts): void {
  const { gauge, gaugeBy, counter, counterBy } = metrics
  gaugeBy(['route'], 'parlando_open_sockets', 'Open WebSockets', () =>
    Array.from(counts.open, ([route, count]) => [[route], count] as const),
  )
  counterBy('model', 'parlando_speech_contexts_total', 'Contexts of sockets', () => counts.contexts)
  gauge(
    'parlando_realtime_sessions',
    'Open conversations, over WebSockets and calls',
    () => counts.sessions,
  )
  counter('parlando_realtime_turns_total', 'Turns of the users', () => counts.turns)
  counterBy('status', 'parlando_realtime_responses_total', 'Responses', () => counts.responses)
  counter(
    'parlando_realtime_interruptions_total',
    'Responses that a user has interrupted',
    () => counts.interruptions,
  )
}
