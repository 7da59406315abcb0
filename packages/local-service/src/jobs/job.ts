import { parseJson, type SpeechRequest, type SpeechWarning } from '@parlando/core/wire'
import type { JobEntry } from '@parlando/store'
import { z } from 'zod'

/** How long the files of a job are kept after its end. */
const keptMs = 3 * 24 * 60 * 60_000
/** How long a job may take, for example because nobody resumes it. */
const maxAgeMs = 30 * 24 * 60 * 60_000

/** How a long text or a batch is doing. What has been made of it is in its pieces. */
export const jobSchema = z.object({
  /** Version of the document. */
  parlandoJob: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{32}$/),
  kind: z.enum(['speech', 'batch']),
  /** Who has submitted it, as a hash. */
  caller: z.string(),
  /** The hash of the texts of a job that was submitted with a key: a further submission with the key must have the same. */
  requestHash: z.string().optional(),
  /** Signs the addresses of its files. */
  secret: z.string(),
  createdAt: z.iso.datetime(),
  /** The length of all texts together. */
  characters: z.int(),
  /** The most that its pieces may take; when it has ended, what they take. */
  bytes: z.int(),
  priority: z.int(),
  /** Another number each time it is queued anew. */
  round: z.int(),
  isPaused: z.boolean(),
  ended: z
    .object({
      at: z.iso.datetime(),
      /** The error of a single text that could not be spoken. */
      error: z.object({ code: z.int(), message: z.string() }).optional(),
    })
    .optional(),
})

export type JobDocument = z.infer<typeof jobSchema>

/** One text of a job. */
export interface JobItem {
  /** The id that the caller has given it; only a batch has them. */
  customId?: string
  request: SpeechRequest
}

/** What became of one text. */
export type ItemResult =
  | {
      mediaType: string
      /** The sizes of the pieces of its file. */
      pieceBytes: readonly number[]
      hasTimestamps: boolean
      /** Absent if the voice speaks the text as expected. */
      warnings?: SpeechWarning[]
    }
  | { error: { code: number; name: string; message: string } }

/** How far a job is. */
export interface JobProgress {
  spokenCharacters: number
}

export function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

export function isJobId(id: string): boolean {
  return jobSchema.shape.id.safeParse(id).success
}

/** @returns nothing for a document of a later version. */
export function readJob(document: string): JobDocument | undefined {
  return jobSchema.safeParse(parseJson(document)).data
}

/** What a document counts for. A document of a later version counts for nothing. */
export function readJobEntry(document: string): JobEntry {
  const job = readJob(document)
  return job ? toEntry(job) : { document, owner: '', bytes: 0, hasEnded: true, round: 0 }
}

/** What the store keeps of a job. */
export function toEntry(job: JobDocument): JobEntry {
  const { caller: owner, bytes, ended, round } = job
  return { document: JSON.stringify(job), owner, bytes, hasEnded: ended !== undefined, round }
}

/** When a job and its files are deleted, in ms since 1970. */
export function expiryOf({ ended, createdAt }: JobDocument): number {
  return ended ? Date.parse(ended.at) + keptMs : Date.parse(createdAt) + maxAgeMs
}
