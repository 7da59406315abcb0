import type { JobFiles, JobStore } from '@parlando/store'
import { ServiceError } from '../errors/service-error.ts'
import { isJobId, type JobDocument, readJob, toEntry } from './job.ts'

/** The documents of the jobs in a store, which several services may change. */
export class JobDocuments {
  readonly #store: JobStore

  constructor(store: JobStore) {
    this.#store = store
  }

  /** @returns nothing if there is no such job. */
  async read(id: string): Promise<JobDocument | undefined> {
    return (await this.#read(id))?.job
  }

  /** @throws {ServiceError} if there is no such job. */
  async find(id: string, kind?: JobDocument['kind']): Promise<JobDocument> {
    const job = await this.read(id)
    if (job && (!kind || job.kind === kind)) return job
    throw unknownJob()
  }

  /** Changes a document, and again if another service has changed it meanwhile. */
  async change(
    id: string,
    update: (job: JobDocument) => JobDocument,
    files: JobFiles = this.#store,
  ): Promise<JobDocument> {
    for (;;) {
      const found = await this.#read(id)
      if (!found) throw unknownJob()
      const changed = update(found.job)
      if (changed === found.job) return changed
      if (await files.replace(id, found.document, toEntry(changed))) return changed
    }
  }

  async #read(id: string): Promise<{ document: string; job: JobDocument } | undefined> {
    const document = isJobId(id) ? await this.#store.read(id) : undefined
    const job = document === undefined ? undefined : readJob(document)
    return job && { document: document!, job }
  }
}

function unknownJob(): ServiceError {
  const message = 'Unknown operation: it never existed, was deleted, or has expired'
  return new ServiceError('NOT_FOUND', message)
}
