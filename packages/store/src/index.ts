export { type DiskJobStoreOptions, openDiskJobStore } from './jobs/disk-job-store.ts'
export type {
  JobEntry,
  JobFiles,
  JobStore,
  JobStoreTotals,
  JobTotals,
  JobTurn,
  RunJob,
  RunningTurn,
} from './jobs/job-store.ts'
export { openRedisJobStore } from './jobs/redis-job-store.ts'
export type { RedisOptions } from './redis/redis-connection.ts'
export { openRedisCounters, type SharedCounters } from './redis/redis-counters.ts'
export {
  openSharedDocuments,
  type SharedDocuments,
  type SharedDocumentsOptions,
} from './redis/redis-documents.ts'
export { StoreAwayError, StoreFullError } from './redis/store-errors.ts'
export { replaceFile } from './replace-file.ts'
export { type DiskStoreOptions, openDiskStore } from './sounds/disk-store.ts'
export { createMemoryStore, type MemoryStoreOptions } from './sounds/memory-store.ts'
export { openRedisStore, type RedisStoreOptions } from './sounds/redis-store.ts'
export { packSound, unpackSound } from './sounds/sound-file.ts'
export { soundKey } from './sounds/sound-key.ts'
export type { KeptSound, SpeechStore, StoreSize } from './sounds/speech-store.ts'
