/** A connection of a browser. */
export interface PageConnection {
  /** The remote address. */
  address: string
  /** When the browser last did something. A time of `performance.now()`. */
  activeAt: number
}

/**
 * Chooses the connection that makes room for a new one: of the address with the most connections, the one that has been
 * silent for longest. So nobody keeps all others out by opening connections.
 */
export function connectionToClose<Connection extends PageConnection>(
  connections: Iterable<Connection>,
): Connection | undefined {
  const byAddress = new Map<string, Connection[]>()
  for (const connection of connections) {
    const others = byAddress.get(connection.address) ?? []
    byAddress.set(connection.address, [...others, connection])
  }
  return [...byAddress.values()]
    .sort((one, other) => other.length - one.length)[0]
    ?.sort((one, other) => one.activeAt - other.activeAt)[0]
}
