import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile, syncFolder } from '../replace-file.ts'
import { JobCounts } from './job-counts.ts'
import { checkedName, isName, type JobEntry, type JobFiles, type JobStore } from './job-store.ts'
import { JobTurns } from './job-turns.ts'

/** The folder of a store, and what its documents say. */
export interface DiskJobStoreOptions {
  /** Contains nothing else. It is created with the first job. */
  folder: string
  /** Reads what a document of an earlier process counts for. */
  readEntry(document: string): JobEntry
}

const documentName = 'job.json'
const maxBytes = 2 * 1024 * 1024 * 1024

/**
 * Keeps each job in a folder of its own, and runs the jobs of this process. Only one store at a time may use the folder. What is
 * written is on the disk when the call resolves, so that a loss of power cannot take it.
 * @throws if the folder cannot be read.
 */
export async function openDiskJobStore(options: DiskJobStoreOptions): Promise<JobStore> {
  const { folder, readEntry } = options
  const entries = new Map<string, JobEntry>()
  const counts = new JobCounts()
  const note = (id: string, entry: JobEntry) => {
    counts.change(entries.get(id), entry)
    entries.set(id, entry)
  }
  const forget = (id: string) => {
    counts.change(entries.get(id), undefined)
    entries.delete(id)
  }
  for (const [id, document] of await readDocuments(folder)) note(id, readEntry(document))
  const folderOf = (id: string) => join(folder, checkedName(id))
  const write = async (id: string, entry: JobEntry) => {
    await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
    await replaceFile(join(folderOf(id), documentName), entry.document)
    if (!entries.has(id)) await syncFolder(folder)
    note(id, entry)
  }
  const exclusive = createMutex()
  const files: JobFiles = {
    read: async (id) => entries.get(checkedName(id))?.document,
    replace: (id, previous, entry) =>
      exclusive(async () => {
        if (entries.get(id)?.document !== previous) return false
        await write(id, entry)
        return true
      }),
    async writePiece(id, name, bytes) {
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
      await replaceFile(join(folderOf(id), checkedName(name)), bytes)
    },
    readPiece: (id, name) => readOptional(join(folderOf(id), checkedName(name))),
    async removePieces(id, prefix) {
      for (const name of await namesIn(folderOf(id))) {
        // Somebody may just be replacing the document.
        const isDocument = name.startsWith(documentName)
        if (isDocument || !name.startsWith(prefix)) continue
        await rm(join(folderOf(id), name), { force: true })
      }
    },
  }
  const turns = new JobTurns()
  return {
    ...files,
    totals: async (owner) => ({ ...counts.of(owner), maxBytes }),
    async *readAll() {
      for (const [id, { document }] of [...entries]) yield [id, document] as const
    },
    add: (id, entry) =>
      exclusive(async () => {
        if (entries.has(checkedName(id))) return false
        await write(id, entry)
        return true
      }),
    remove: (id) =>
      exclusive(async () => {
        const entry = entries.get(id)
        // The job that runs must not find it while its files are removed.
        forget(id)
        try {
          await removeFolder(folderOf(id))
        } catch (error) {
          // So that it can be removed again.
          if (entry) note(id, entry)
          throw error
        }
      }),
    async enqueue(turn) {
      turns.add(turn)
    },
    work: (run) => turns.work((turn, signal) => run({ turn, signal, files })),
    close: () => turns.close(),
  }
}

/** Reads the documents, and deletes what a process has left that was killed while it deleted a job. */
async function readDocuments(folder: string): Promise<Map<string, string>> {
  const documents = new Map<string, string>()
  for (const id of (await namesIn(folder)).filter(isName)) {
    const path = join(folder, id)
    const document = await readOptional(join(path, documentName))
    if (document) documents.set(id, document.toString('utf8'))
    else await rm(path, { recursive: true, force: true })
  }
  return documents
}

async function removeFolder(folder: string): Promise<void> {
  // First, so that the next process deletes the rest if this one cannot.
  await rm(join(folder, documentName), { force: true })
  // The job that runs may just be writing a piece, which makes the folder not empty.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 })
}

/** @returns runs one task at a time, in the order of the calls. */
function createMutex() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(change: () => Promise<Result>): Promise<Result> => {
    const changing = last.then(change)
    last = changing.catch(() => {})
    return changing
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await orMissing(readdir(folder))) ?? []
}

async function readOptional(path: string): Promise<Buffer | undefined> {
  return orMissing(readFile(path))
}

async function orMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}
