import type { JobFiles } from '@parlando/store'

/** The files of a job, whose failures can be told from those of an engine. */
export interface WatchedStore {
  files: JobFiles
  /** @returns the result of a call of the store, or its error, which is remembered. */
  watch<Result>(call: Promise<Result>): Promise<Result>
  /** Whether an error is one with which a watched call has failed. */
  hasFailedWith(error: unknown): boolean
}

export function watchStore(store: JobFiles): WatchedStore {
  const failures = new WeakSet<object>()
  const watch = async <Result>(call: Promise<Result>) => {
    try {
      return await call
    } catch (error) {
      failures.add(error as Error)
      throw error
    }
  }
  return {
    files: {
      read: (id) => watch(store.read(id)),
      replace: (id, previous, entry) => watch(store.replace(id, previous, entry)),
      writePiece: (id, name, bytes) => watch(store.writePiece(id, name, bytes)),
      readPiece: (id, name) => watch(store.readPiece(id, name)),
      removePieces: (id, prefix) => watch(store.removePieces(id, prefix)),
    },
    watch,
    hasFailedWith: (error) => failures.has(error as Error),
  }
}
