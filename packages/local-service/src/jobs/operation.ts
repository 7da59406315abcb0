import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SpeechOperation, SpeechWarning } from '@parlando/core/wire'
import { expiryOf, type ItemResult, type JobDocument, type JobProgress } from './job.ts'

export const filesPath = '/tts/v1/jobFiles'

const collections: Readonly<Record<JobDocument['kind'], string>> = {
  speech: 'ttsAsyncJobs',
  batch: 'ttsBatchJobs',
}

/** @returns the kind of the jobs of a collection, if there is such a collection. */
export function kindOfCollection(name: string): JobDocument['kind'] | undefined {
  const kinds = Object.keys(collections) as JobDocument['kind'][]
  return kinds.find((kind) => collections[kind] === name)
}

/** What is known about a job. */
export interface JobState {
  job: JobDocument
  /** Absent before it has begun. */
  progress?: JobProgress | undefined
  /** What became of a single text, as soon as it is known. */
  result?: ItemResult | undefined
  /** The address of the service as the caller reaches it, such as `http://127.0.0.1:8080`. */
  origin: string
}

/** A job in the format of the protocol. */
export function toOperation({ job, progress, result, origin }: JobState): SpeechOperation {
  const { id, kind, ended, characters } = job
  const spokenCharacters = ended && !ended.error ? characters : (progress?.spokenCharacters ?? 0)
  return {
    name: `${collections[kind]}/${id}/operations/${id}`,
    done: ended !== undefined,
    metadata: { state: stateOf(job, progress), characters, spokenCharacters },
    ...(ended?.error && { error: { ...ended.error, details: [] } }),
    ...(ended && !ended.error && { response: toFiles(job, result, origin) }),
  }
}

function stateOf({ ended, isPaused }: JobDocument, progress: JobProgress | undefined): string {
  if (ended) return ended.error ? 'FAILED' : 'SUCCEEDED'
  if (isPaused) return 'PAUSED'
  return progress ? 'RUNNING' : 'QUEUED'
}

function toFiles(job: JobDocument, result: ItemResult | undefined, origin: string) {
  const files =
    job.kind === 'batch'
      ? { resultsUri: fileUri(job, 'results', origin) }
      : toItemFiles(job, 0, result, origin)
  return { ...files, expireTime: new Date(expiryOf(job)).toISOString() }
}

/** The addresses of the files of one text, and the warnings about them. */
export function toItemFiles(
  job: JobDocument,
  item: number,
  result: ItemResult | undefined,
  origin: string,
): { audioUri?: string; timestampsUri?: string; warnings?: SpeechWarning[] } {
  if (!result || 'error' in result) return {}
  const { hasTimestamps, warnings } = result
  return {
    audioUri: fileUri(job, `audio-${item}`, origin),
    ...(hasTimestamps && { timestampsUri: fileUri(job, `timestamps-${item}`, origin) }),
    ...(warnings && { warnings }),
  }
}

function fileUri(job: JobDocument, file: string, origin: string): string {
  return `${origin}${filesPath}/${job.id}/${file}?signature=${sign(job, file)}`
}

/** Whether a signature, which is a part of the address of a file, is that of this file. With the address, anybody may read the file. */
export function isSigned(job: JobDocument, file: string, signature: string): boolean {
  const expected = Buffer.from(sign(job, file))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function sign({ secret }: JobDocument, file: string): string {
  return createHmac('sha256', secret).update(file).digest('base64url')
}
