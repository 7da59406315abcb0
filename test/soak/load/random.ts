/** A random generator: the same seed gives the same numbers. */
export interface Random {
  /** 0 ≤ number < 1. */
  next(): number
  /** 0 ≤ integer < limit. */
  below(limit: number): number
  oneOf<Item>(items: readonly Item[]): Item
  /** The time until the next of independent events (exponential distribution). */
  waitMs(meanMs: number): number
  shuffle<Item>(items: readonly Item[]): Item[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32 by Tommy Ettinger, public domain.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    oneOf: (items) => items[below(items.length)]!,
    waitMs: (meanMs) => -Math.log(1 - next()) * meanMs,
    shuffle(items) {
      const left = [...items]
      return items.map(() => left.splice(below(left.length), 1)[0]!)
    },
  }
}
