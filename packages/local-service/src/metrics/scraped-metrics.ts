import type { Registry } from 'prom-client'

/** Values by the values of the labels, in the order of the labels. */
type Labelled = Iterable<readonly [labels: readonly string[], value: number]>

export type ScrapedMetrics = ReturnType<typeof createScrapedMetrics>

/** Adds metrics whose values are read on each scrape, so that counting costs nothing in between. */
export function createScrapedMetrics(
  { Counter, Gauge }: typeof import('prom-client'),
  registry: Registry,
) {
  const registers = [registry]
  return {
    gauge: (name: string, help: string, read: () => number | Promise<number>) =>
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      }),
    /** A gauge for each value of the labels: one that is not read any more, such as that of a removed model, is gone. */
    gaugeBy: (labelNames: string[], name: string, help: string, read: () => Labelled) =>
      new Gauge({
        name,
        help: `${help}, by ${labelNames.join(' and ')}`,
        labelNames,
        registers,
        collect() {
          this.reset()
          for (const [labels, value] of read()) this.labels(...labels).set(value)
        },
      }),
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
    counterBy: (
      label: string,
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
