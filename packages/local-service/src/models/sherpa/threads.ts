import { availableParallelism } from 'node:os'

/** One core stays free for the service, and more than three hardly make a phrase faster. */
export const speechThreads = Math.max(1, Math.min(availableParallelism() - 1, 3))
