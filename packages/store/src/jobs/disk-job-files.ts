import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedMutex } from '../keyed-mutex.ts'
import { replaceFile, syncFolder } from '../replace-file.ts'
import { JobCounts } from './job-counts.ts'
import {
  checkedName,
  isName,
  type JobEntry,
  type JobFiles,
  JobLostError,
  type JobTotals,
  type JobTurn,
} from './job-store.ts'

const documentName = 'job.json'

/** A job from its addition to its removal: one that is added later under the same id is another one. */
interface KeptJob {
  entry: JobEntry
}

/** The documents and pieces of jobs on a disk, with a folder for each job. */
export class DiskJobFiles {
  readonly #folder: string
  readonly #jobs = new Map<string, KeptJob>()
  readonly #counts = new JobCounts()
  // One change of a job at a time, so that nothing is written to one that has been removed meanwhile, or to the next one under its id.
  readonly #exclusive = createKeyedMutex()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Reads the documents, and deletes what a process has left that was killed while it deleted a job.
   * @throws if the folder cannot be read.
   */
  async open(readEntry: (document: string) => JobEntry): Promise<void> {
    for (const id of (await namesIn(this.#folder)).filter(isName)) {
      const path = this.#pathOf(id)
      const document = await readOptional(join(path, documentName))
      if (document) this.#note(id, { entry: readEntry(document.toString('utf8')) })
      else await rm(path, { recursive: true, force: true })
    }
  }

  totals(owner: string): { all: JobTotals; ofOwner: JobTotals } {
    return this.#counts.of(owner)
  }

  *readAll(): Generator<readonly [id: string, document: string]> {
    for (const [id, { entry }] of [...this.#jobs]) yield [id, entry.document]
  }

  /** @returns false if there is a job with this id. @throws if it cannot be written; then nothing of it remains. */
  add(id: string, entry: JobEntry): Promise<boolean> {
    return this.#exclusive(id, async () => {
      if (this.#jobs.has(checkedName(id))) return false
      try {
        await this.#write(id, documentName, entry.document)
      } catch (error) {
        // A full disk may have had space for the folder.
        await rm(this.#pathOf(id), { recursive: true, force: true }).catch(() => {})
        throw error
      }
      await syncFolder(this.#folder)
      this.#note(id, { entry })
      return true
    })
  }

  remove(id: string): Promise<void> {
    return this.#exclusive(id, async () => {
      const job = this.#jobs.get(id)
      // Readers must not find it while its files are removed.
      this.#forget(id)
      try {
        await removeFolder(this.#pathOf(id))
      } catch (error) {
        // So that it can be removed again.
        if (job) this.#note(id, job)
        throw error
      }
    })
  }

  /**
   * @returns the files for a run of the job that has this id now, or nothing if it is in another round. Once it was removed, changes call
   * `onLost` and reject.
   */
  begin({ id, round }: JobTurn, onLost: () => void): JobFiles | undefined {
    const begun = this.#jobs.get(id)
    if (begun?.entry.round !== round) return undefined
    return this.filesFor(() => {
      if (this.#jobs.get(id) === begun) return
      onLost()
      throw new JobLostError('The job was deleted')
    })
  }

  /** @param check throws if somebody must not change the jobs any more. Default: everybody may. */
  filesFor(check = () => {}): JobFiles {
    const change = <Result>(id: string, work: () => Promise<Result>) =>
      this.#exclusive(id, async () => {
        check()
        return work()
      })
    return {
      read: async (id) => this.#jobs.get(checkedName(id))?.entry.document,
      readPiece: (id, name) => readOptional(join(this.#pathOf(id), checkedName(name))),
      replace: (id, previous, entry) => change(id, () => this.#replace(id, previous, entry)),
      writePiece: (id, name, bytes) => change(id, () => this.#writePiece(id, name, bytes)),
      removePieces: (id, prefix) => change(id, () => this.#removePieces(id, prefix)),
    }
  }

  async #replace(id: string, previous: string, entry: JobEntry): Promise<boolean> {
    const job = this.#jobs.get(id)
    if (job?.entry.document !== previous) return false
    await this.#write(id, documentName, entry.document)
    this.#counts.change(job.entry, entry)
    job.entry = entry
    return true
  }

  async #writePiece(id: string, name: string, bytes: Uint8Array): Promise<void> {
    if (!this.#jobs.has(id)) throw new JobLostError('The job was deleted')
    await this.#write(id, checkedName(name), bytes)
  }

  async #removePieces(id: string, prefix: string): Promise<void> {
    for (const name of await namesIn(this.#pathOf(id))) {
      // Also one that a process has not finished.
      const isDocument = name.startsWith(documentName)
      if (isDocument || !name.startsWith(prefix)) continue
      await rm(join(this.#pathOf(id), name), { force: true })
    }
  }

  #note(id: string, job: KeptJob): void {
    this.#counts.change(undefined, job.entry)
    this.#jobs.set(id, job)
  }

  #forget(id: string): void {
    this.#counts.change(this.#jobs.get(id)?.entry, undefined)
    this.#jobs.delete(id)
  }

  async #write(id: string, name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(this.#pathOf(id), { recursive: true, mode: 0o700 })
    await replaceFile(join(this.#pathOf(id), name), content)
  }

  #pathOf(id: string): string {
    return join(this.#folder, checkedName(id))
  }
}

async function removeFolder(folder: string): Promise<void> {
  // First, so that the next process deletes the rest if this one cannot.
  await rm(join(folder, documentName), { force: true })
  // On Windows, a folder is not empty while somebody reads one of its files.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 })
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
