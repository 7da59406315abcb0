/** A client that has sent nothing for this long is silent. */
const silentMs = 10_000

/** What decides which of many connections makes room for a new one. */
export interface RankedConnection {
  address: string
  isBusy: boolean
  /** When it sent its last event or, before that, when it was opened. On the clock of `performance.now()`. */
  lastEventMs: number
}

/** A connection that can end because a new one needs its place. */
export interface ReplaceableConnection extends RankedConnection {
  makeRoom(): void
}

/** Chooses, as `chooseToClose`, among the connections whose clients are silent and wait for nothing. */
export function chooseSilent<Connection extends RankedConnection>(
  connections: Iterable<Connection>,
): Connection | undefined {
  const sinceMs = performance.now() - silentMs
  const silent = [...connections].filter((connection) => {
    return !connection.isBusy && connection.lastEventMs <= sinceMs
  })
  return chooseToClose(silent)
}

/**
 * Chooses the connection that makes room: of the address with the most connections, one without a request, and the one
 * that has been silent for longest. So silent connections cannot keep others out.
 */
export function chooseToClose<Connection extends RankedConnection>(
  connections: readonly Connection[],
): Connection | undefined {
  const countOf = new Map<string, number>()
  for (const { address } of connections) countOf.set(address, (countOf.get(address) ?? 0) + 1)
  const rank = ({ address, isBusy, lastEventMs }: Connection) => [
    -countOf.get(address)!,
    Number(isBusy),
    lastEventMs,
  ]
  const [first] = [...connections].sort((one, other) => compare(rank(one), rank(other)))
  return first
}

function compare(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((value, index) => value !== other[index])
  return place < 0 ? 0 : one[place]! - other[place]!
}
