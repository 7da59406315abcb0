/** The figures to report about a series of times. */
export function summarize(timesMs) {
  return {
    requests: timesMs.length,
    p50Ms: percentile(timesMs, 50),
    p95Ms: percentile(timesMs, 95),
    p99Ms: percentile(timesMs, 99),
    maxMs: percentile(timesMs, 100),
  }
}

/** The smallest value that at least `percent` of all values do not exceed. */
export function percentile(values, percent) {
  const sorted = values.toSorted((first, second) => first - second)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]
}

export function median(values) {
  return percentile(values, 50)
}

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}
