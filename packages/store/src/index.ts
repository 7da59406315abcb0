export { type DiskJobStoreOptions, openDiskJobStore } from './disk-job-store.ts'
export { type DiskStoreOptions, openDiskStore } from './disk-store.ts'
export type {
  JobEntry,
  JobFiles,
  JobStore,
  JobStoreTotals,
  JobTotals,
  JobTurn,
  RunJob,
  RunningTurn,
} from './job-store.ts'
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts'
export type { RedisOptions } from './redis-connection.ts'
export { openRedisCounters, type SharedCounters } from './redis-counters.ts'
export {
  openSharedDocuments,
  type SharedDocuments,
  type SharedDocumentsOptions,
  StoreAwayError,
} from './redis-documents.ts'
export { openRedisJobStore } from './redis-job-store.ts'
export { openRedisStore, type RedisStoreOptions } from './redis-store.ts'
export { replaceFile } from './replace-file.ts'
export { packSound, unpackSound } from './sound-file.ts'
export { soundKey } from './sound-key.ts'
export type { KeptSound, SpeechStore, StoreSize } from './speech-store.ts'
