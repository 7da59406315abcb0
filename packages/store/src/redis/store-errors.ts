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
  return rejectedForNow.test(replyOf(error))
}

/** Whether a server rejects a command because it is full. */
export function isRejectedWhenFull(error: unknown): boolean {
  return replyOf(error).startsWith('OOM ')
}

/** The reply to the command that has failed. Redis 6.2 puts the place in the script before that of a command in a script. */
function replyOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const [, inScript] = /^ERR Error running script [^-]*: -(.*)/.exec(message) ?? []
  return inScript ?? message
}
