/** Limits what all connections of a port hold together. */
export interface ByteBudget {
  /** @param close ends the connection, because it holds more than the others. */
  open(close: () => void): ByteAccount
}

/** What one connection holds. */
export interface ByteAccount {
  /** Replaces the number of bytes that the connection holds. */
  hold(bytes: number): void
}

/** The connection that holds most makes room, so that one that holds little is never kept out. */
export function createByteBudget(maxBytes: number): ByteBudget {
  const held = new Map<ByteAccount, { bytes: number; close(): void }>()
  let total = 0

  const makeRoom = () => {
    while (total > maxBytes) {
      const [largest, ...others] = held
      const [account, { bytes, close }] = others.reduce(
        (most, other) => (other[1].bytes > most[1].bytes ? other : most),
        largest!,
      )
      held.delete(account)
      total -= bytes
      close()
    }
  }
  return {
    open(close) {
      const account: ByteAccount = {
        hold(bytes) {
          total += bytes - (held.get(account)?.bytes ?? 0)
          if (bytes > 0) held.set(account, { bytes, close })
          else held.delete(account)
          makeRoom()
        },
      }
      return account
    },
  }
}
