/** The store is away, or does not respond in time. What was asked of it may have happened. */
export class StoreAwayError extends Error {
  readonly code = 'STORE_AWAY'
}
