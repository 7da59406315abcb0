import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { JobStoreTotals } from '@parlando/store'
import { type JobDocument, type JobItem, toJson } from './job.ts'
import { estimatedBytes } from './job-admission.ts'

/** What somebody submits. */
export interface NewJob {
  kind: JobDocument['kind']
  items: readonly JobItem[]
  /** The address of the caller. */
  caller: string
  /** Stands for the job: a repeated submission finds it. Default: each submission is a job of its own. */
  idempotencyKey?: string | undefined
}

/** The document of a job that has not begun. @param totals of its owner. */
export function createJob(submission: NewJob, totals: JobStoreTotals): JobDocument {
  const { kind, items, idempotencyKey } = submission
  return {
    parlandoJob: 1,
    id: idempotencyKey === undefined ? randomBytes(16).toString('hex') : idOfKey(idempotencyKey),
    kind,
    caller: ownerOf(submission),
    ...(idempotencyKey !== undefined && { requestHash: hashOf(submission) }),
    secret: randomBytes(32).toString('base64url'),
    createdAt: new Date().toISOString(),
    characters: items.reduce((sum, { request }) => sum + request.text.length, 0),
    bytes: estimatedBytes(items),
    // The first job of another caller must not wait for all jobs of this one.
    priority: 1 + totals.ofOwner.unfinished,
    // A job that had the same id, and was deleted, may still have the turn of its round.
    round: randomInt(2 ** 40),
    isPaused: false,
  }
}

/** The same for each submission with the key, so that of two services that share a store, one adds the job. */
export function idOfKey(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32)
}

export function ownerOf({ caller }: NewJob): string {
  return createHash('sha256').update(caller).digest('base64url')
}

/** Whether a job was submitted with the same texts. */
export function isOf(submission: NewJob, { requestHash }: JobDocument): boolean {
  return requestHash === hashOf(submission)
}

function hashOf({ kind, items }: NewJob): string {
  return createHash('sha256').update(toJson({ kind, items })).digest('base64url')
}
