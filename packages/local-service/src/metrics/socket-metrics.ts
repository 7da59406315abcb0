import type { Registry } from 'prom-client'
import type { SocketCounts, Tally } from './socket-counts.ts'

/** Adds the metrics of the sockets, which are read on each scrape. */
export function addSocketMetrics(
  { Counter, Gauge }: typeof import('prom-client'),
  registry: Registry,
  counts: SocketCounts,
): void {
  const registers = [registry]
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  const counterBy = <Label extends string>(name: string, help: string, by: Label, tally: Tally) =>
    new Counter({
      name,
      help: `${help}, by ${by}`,
      labelNames: [by],
      registers,
      collect() {
        this.reset()
        for (const [key, count] of tally) this.labels(key).inc(count)
      },
    })
  new Gauge({
    name: 'parlando_open_sockets',
    help: 'Open WebSockets, by route',
    labelNames: ['route'],
    registers,
    collect() {
      for (const [route, count] of counts.open) this.set({ route }, count)
    },
  })
  counterBy('parlando_speech_contexts_total', 'Contexts of sockets', 'model', counts.contexts)
  new Gauge({
    name: 'parlando_realtime_sessions',
    help: 'Open conversations, over WebSockets and calls',
    registers,
    collect() {
      this.set(counts.sessions)
    },
  })
  counter('parlando_realtime_turns_total', 'Turns of the users', () => counts.turns)
  counterBy('parlando_realtime_responses_total', 'Responses', 'status', counts.responses)
  counter(
    'parlando_realtime_interruptions_total',
    'Responses that a user has interrupted',
    () => counts.interruptions,
  )
}
