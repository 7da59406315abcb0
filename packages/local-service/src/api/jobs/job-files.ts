import { speechBatchResultsSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import type { ItemResult, JobDocument } from '../../jobs/job.ts'
import { audioPiece, timestampsPiece } from '../../jobs/job-pieces.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { filesPath, isSigned, toItemFiles } from '../../jobs/operation.ts'
import { streamPieces } from '../../jobs/stream-pieces.ts'
import { readByteRange, toContentRange } from '../../server/responses/byte-range.ts'
import { createAbortResponse } from '../../server/responses/stream-response.ts'
import { type Endpoint, named } from '../app/endpoint.ts'
import { originOf } from './operations.ts'

const query = z.object({ signature: z.string() })

export const jobFile: Endpoint = {
  operation: {
    method: 'get',
    path: `${filesPath}/{job}/{file}`,
    summary:
      'Returns a file of an operation, which has the address; the signature stands for the key',
    key: 'none',
    query: named('JobFileQuery', query),
    responses: {
      'audio/*': 'bytes',
      'application/json': named('SpeechBatchResults', speechBatchResultsSchema),
    },
  },
  createHandler({ jobs }) {
    if (!jobs) return undefined
    return async (context) => {
      const file = context.req.param('file') ?? ''
      const job = await findSigned(context, jobs, file)
      const [, kind, index = ''] = /^(audio|timestamps)-(\d{1,5})$/.exec(file) ?? []
      if (kind === undefined) return context.json(await readResults(context, jobs, job))
      const item = Number(index)
      if (kind === 'timestamps') return sendTimestamps(jobs, job, item)
      return sendAudio(context, jobs, job, item)
    }
  },
}

/** @throws {ServiceError} the same one, whether the job is unknown or the signature is wrong. */
async function findSigned(context: Context, jobs: Jobs, file: string): Promise<JobDocument> {
  const job = await jobs.find(context.req.param('job') ?? '').catch((error) => {
    // While the store is away, the file may still be there.
    if (error instanceof ServiceError) return undefined
    throw error
  })
  const signature = context.req.query('signature') ?? ''
  if (job?.ended && isSigned(job, file, signature)) return job
  throw new ServiceError('NOT_FOUND', 'Unknown file: its operation may have expired')
}

async function sendAudio(
  context: Context,
  jobs: Jobs,
  job: JobDocument,
  item: number,
): Promise<Response> {
  const result = await findResult(jobs, job, item)
  const { mediaType, pieceBytes } = result
  const length = pieceBytes.reduce((sum, bytes) => sum + bytes, 0)
  // A file never changes: its name stands for its content.
  const headers = {
    'content-type': mediaType,
    'accept-ranges': 'bytes',
    etag: `"${job.id}-${item}"`,
  }
  const condition = context.req.header('if-range')
  const asked = condition === undefined || condition === headers.etag
  const range = asked ? readByteRange(context.req.header('range'), length) : undefined
  if (range === 'unsatisfiable') {
    const contentRange = `bytes */${length}`
    return new Response(null, { status: 416, headers: { 'content-range': contentRange } })
  }
  const { start, end } = range ?? { start: 0, end: length }
  const read = (piece: number) => jobs.readPiece(job, audioPiece(item, piece))
  const abort = createAbortResponse(context)
  const body = streamPieces({ pieceBytes, start, end, read, abort })
  return new Response(body, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': `${end - start}`,
      ...(range && { 'content-range': toContentRange(range, length) }),
    },
  })
}

async function sendTimestamps(jobs: Jobs, job: JobDocument, item: number): Promise<Response> {
  const document = await jobs.readPiece(job, timestampsPiece(item))
  if (!document) throw missingFile('times')
  return new Response(new Uint8Array(document), { headers: { 'content-type': 'application/json' } })
}

async function readResults(context: Context, jobs: Jobs, job: JobDocument) {
  const items = await jobs.itemsOf(job)
  const origin = originOf(context)
  const results = []
  for (const [index, { customId = '' }] of items.entries()) {
    const result = await jobs.resultOf(job, index)
    results.push({ customId, ...(toError(result) ?? toItemFiles(job, index, result, origin)) })
  }
  const failedItems = results.filter((result) => 'error' in result).length
  return { results, failedItems }
}

function toError(result: ItemResult | undefined) {
  if (!result || !('error' in result)) return undefined
  const { name, message } = result.error
  return { error: { code: name, message } }
}

async function findResult(jobs: Jobs, job: JobDocument, item: number) {
  const result = await jobs.resultOf(job, item)
  if (result && !('error' in result)) return result
  throw missingFile('audio')
}

/** The service states no address of a file that a text never had. */
function missingFile(what: 'audio' | 'times'): ServiceError {
  const message = `The text has no ${what}: its operation may have been deleted meanwhile. Submit the text again`
  return new ServiceError('NOT_FOUND', message)
}
