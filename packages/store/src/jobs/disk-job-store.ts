import { DiskJobFiles } from './disk-job-files.ts'
import type { JobEntry, JobStore, JobTurn, RunJob } from './job-store.ts'
import { JobTurns } from './job-turns.ts'

/** The folder of a store, and what its documents say. */
export interface DiskJobStoreOptions {
  /** Contains nothing else. It is created with the first job. */
  folder: string
  /** Reads what a document of an earlier process counts for. */
  readEntry(document: string): JobEntry
}

const maxBytes = 2 * 1024 * 1024 * 1024

/**
 * Keeps each job in a folder of its own, and runs the jobs of this process. Only one store at a time may use the folder. What is
 * written is on the disk when the call resolves, so that a loss of power cannot take it.
 * @throws if the folder cannot be read.
 */
export async function openDiskJobStore(options: DiskJobStoreOptions): Promise<JobStore> {
  const files = new DiskJobFiles(options.folder)
  await files.open(options.readEntry)
  const turns = new JobTurns()
  return {
    ...files.filesFor(),
    totals: async (owner) => ({ ...files.totals(owner), maxBytes }),
    async *readAll() {
      yield* files.readAll()
    },
    add: (id, entry) => files.add(id, entry),
    remove: (id) => files.remove(id),
    async enqueue(turn) {
      turns.add(turn)
    },
    work: (run) => turns.work((turn, signal) => runTurn({ files, turn, signal, run })),
    close: () => turns.close(),
  }
}

interface TurnOptions {
  files: DiskJobFiles
  turn: JobTurn
  signal: AbortSignal
  run: RunJob
}

async function runTurn({ files, turn, signal, run }: TurnOptions): Promise<void> {
  const lost = new AbortController()
  const begun = files.begin(turn, () => lost.abort())
  if (begun) await run({ turn, signal: AbortSignal.any([signal, lost.signal]), files: begun })
}
