import type { Registry } from 'prom-client'

/** Adds counters whose values are read on each scrape. */
export function createScrapeCounters(
  { Counter }: typeof import('prom-client'),
  registry: Registry,
) {
  const registers = [registry]
  return {
    counter: (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        },
      }),
    /** A counter for each value of a label. */
    counterBy: <Label extends string>(
      label: Label,
      name: string,
      help: string,
      read: () => Iterable<readonly [string, number]>,
    ) =>
      new Counter({
        name,
        help: `${help}, by ${label}`,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [value, count] of read()) this.labels(value).inc(count)
        },
      }),
  }
}
