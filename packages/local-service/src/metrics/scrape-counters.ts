import type { Registry } from 'prom-client'

/** @returns a function that adds a counter whose value is read on each scrape. */
export function createScrapeCounters(
  { Counter }: typeof import('prom-client'),
  registers: Registry[],
) {
  return (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
}
