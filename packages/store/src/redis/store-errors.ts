/** The store is away, or does not respond in time. What was asked of it may have happened. */
export class StoreAwayError extends Error {
  readonly code = 'STORE_AWAY'
}

/** The store has no space: in Redis, what the others keep may fill it. */
export class StoreFullError extends Error {
  readonly code = 'STORE_FULL'
}

/** A server that loads its data, runs a long script, or has become a replica, rejects commands that it will take later. */
const rejectedForNow = /^(?:LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|READONLY) /

/** Whether a server that can be reached rejects a command only for now. */
export function isRejectedForNow(error: unknown): boolean {
  return error instanceof Error && rejectedForNow.test(error.message)
}

/** Whether a server rejects a command because it is full. */
export function isRejectedWhenFull(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('OOM ')
}
