/** When a job has its turn. */
export interface JobTurn {
  id: string
  /**
   * Another number each time the job is queued anew, such as after a pause. A job that waits or runs in a round has no second turn in
   * it, and a turn of another round than that of its entry is skipped.
   */
  round: number
  /** Jobs with a lower number are first; among equals, the first to be queued. At least 1. */
  priority: number
}

/** A document, with what it counts for in the totals. */
export interface JobEntry {
  document: string
  /** Whose job it is: without spaces. */
  owner: string
  /** Of its files. */
  bytes: number
  hasEnded: boolean
  /** The round whose turn runs the job. */
  round: number
}

/** Of several jobs together. */
export interface JobTotals {
  bytes: number
  /** Jobs that have not ended. */
  unfinished: number
}

/** What a store contains, and may contain. */
export interface JobStoreTotals {
  all: JobTotals
  ofOwner: JobTotals
  /** Of the files of all jobs. The sound of the jobs that run comes on top. */
  maxBytes: number
}

/** What belongs to jobs. Each method rejects if the store fails. */
export interface JobFiles {
  /** @returns the document of a job, if there is one. */
  read(id: string): Promise<string | undefined>
  /** Replaces the document of a job. @returns false, without a change, if the document is not `previous` any more. */
  replace(id: string, previous: string, entry: JobEntry): Promise<boolean>
  /** Writes bytes that belong to a job, or replaces them: all of them, or none. @throws if there is no such job. @param name of small letters, digits and dashes. */
  writePiece(id: string, name: string, bytes: Uint8Array): Promise<void>
  /** @returns the bytes, if there are any. */
  readPiece(id: string, name: string): Promise<Buffer | undefined>
  /** Removes the pieces whose names begin with a prefix, such as all with an empty one. The document remains. */
  removePieces(id: string, prefix: string): Promise<void>
}

/** Another process runs the job now, or somebody has deleted it. */
export class JobLostError extends Error {
  readonly code = 'JOB_LOST'
}

/** The turn that a process has, and what it needs to use it. */
export interface RunningTurn {
  turn: Pick<JobTurn, 'id' | 'round'>
  /** Aborts when the process closes, and at the latest with a change after it has lost the job. */
  signal: AbortSignal
  /** Once another process runs the job, or somebody has deleted it, changes through them have no effect: they reject with the code `JOB_LOST`. */
  files: JobFiles
}

/** Runs one job to its end, or until the signal aborts. Rejects only if the store is away; then it is called again. */
export type RunJob = (running: RunningTurn) => Promise<void>

/**
 * Keeps long jobs, with what has been made of them, so that they go on after the process has ended, here or elsewhere.
 * Each method rejects if the store fails.
 */
export interface JobStore extends JobFiles {
  /** How much there is, in all and of one owner. */
  totals(owner: string): Promise<JobStoreTotals>
  /** The documents of all jobs, by their ids. */
  readAll(): AsyncIterable<readonly [id: string, document: string]>
  /** Adds a job. @returns false, without a change, if there is one with this id. */
  add(id: string, entry: JobEntry): Promise<boolean>
  /** Removes a job with its pieces. Removing an unknown one does nothing. */
  remove(id: string): Promise<void>
  /** Queues a job. */
  enqueue(turn: JobTurn): Promise<void>
  /** Begins to run queued jobs in this process, one at a time. */
  work(run: RunJob): void
  /** Aborts the job that runs, and waits for it. Jobs remain for the next process, or for another one. */
  close(): Promise<void>
}

/** Whether a text can be the name of a job or of a piece. */
export function isName(text: string): boolean {
  return /^[0-9a-z-]{1,64}$/.test(text)
}

/** A name, which may come from a caller, as part of a path or a key. @throws {TypeError} if it is none. */
export function checkedName(name: string): string {
  if (!isName(name)) throw new TypeError('Not a name of a job or of its piece')
  return name
}
