/** Counts up and down by name. Only names with a difference remain. */
export interface Balance {
  add(name: string, difference: number): void
  of(name: string): number
  /** Forgets the names that begin with a text. */
  forget(begin: string): void
  left(): [name: string, difference: number][]
}

export function createBalance(): Balance {
  const balances = new Map<string, number>()
  const of = (name: string) => balances.get(name) ?? 0
  return {
    of,
    add(name, difference) {
      const left = of(name) + difference
      if (left === 0) balances.delete(name)
      else balances.set(name, left)
    },
    forget(begin) {
      for (const name of balances.keys()) if (name.startsWith(begin)) balances.delete(name)
    },
    left: () => [...balances],
  }
}
