/** When a job has its turn. */
export interface JobTurn {
  id: string
  /** Counts how often the job was queued anew, such as after a pause. A job that waits or runs in a round has no second turn in it. */
  round: number
  /** Jobs with a lower number are first; among equals, the first to be queued. At least 1. */
  priority: number
}

/** Runs one job to its end, or until the signal aborts: then this process has lost the job, or closes. Never rejects. */
export type RunJob = (id: string, signal: AbortSignal) => Promise<void>

/**
 * Keeps long jobs, with what has been made of them, so that they go on after the process has ended, here or elsewhere.
 * Each method rejects if the store fails.
 */
export interface JobStore {
  /** @returns the documents of all jobs, by their ids. */
  readAll(): Promise<ReadonlyMap<string, string>>
  /** @returns the document of a job, if there is one. */
  read(id: string): Promise<string | undefined>
  /** Writes the document of a job, or replaces it. */
  write(id: string, document: string): Promise<void>
  /** Removes a job with its pieces. Removing an unknown one does nothing. */
  remove(id: string): Promise<void>
  /** Writes bytes that belong to a job, or replaces them: all of them, or none. @param name of small letters, digits and dashes. */
  writePiece(id: string, name: string, bytes: Uint8Array): Promise<void>
  /** @returns the bytes, if there are any. */
  readPiece(id: string, name: string): Promise<Buffer | undefined>
  /** Removes the pieces whose names begin with a prefix. */
  removePieces(id: string, prefix: string): Promise<void>
  /** Queues a job. */
  enqueue(turn: JobTurn): Promise<void>
  /** Begins to run queued jobs in this process, one at a time. */
  work(run: RunJob): void
  /** Aborts the job that runs, and waits for it. Jobs remain for the next process. */
  close(): Promise<void>
}
