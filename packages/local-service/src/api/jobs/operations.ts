import { operationListSchema, operationSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import type { JobDocument } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { kindOfCollection, toOperation } from '../../jobs/operation.ts'
import { type Endpoint, named } from '../app/endpoint.ts'

const path = '/lro/v1alpha/{collection}/{job}/operations/{operation}'
const operation = { 'application/json': named('Operation', operationSchema) }

export const getOperation: Endpoint = {
  operation: {
    method: 'get',
    path,
    summary: 'Reports how far an operation is, or where its files are',
    key: 'basic',
    responses: operation,
  },
  createHandler: withJob(report),
}

export const listOperations: Endpoint = {
  operation: {
    method: 'get',
    path: '/lro/v1alpha/{collection}/{job}/operations',
    summary: 'Lists the operations of a job, which has one',
    key: 'basic',
    responses: { 'application/json': named('OperationList', operationListSchema) },
  },
  createHandler: withJob(async (context, jobs, job) => ({
    operations: [await report(context, jobs, job)],
    nextPageToken: '',
  })),
}

export const pauseOperation = changeOperation('pause', 'Interrupts an operation')
export const resumeOperation = changeOperation('resume', 'Goes on with an operation')

export const deleteOperation: Endpoint = {
  operation: {
    method: 'delete',
    path,
    summary: 'Ends an operation and deletes its files',
    key: 'basic',
    responses: { 'application/json': named('Nothing', z.object({})) },
  },
  createHandler: withJob(async (_context, jobs, { id }) => {
    await jobs.remove(id)
    return {}
  }),
}

/** An extension of this service. */
function changeOperation(verb: 'pause' | 'resume', summary: string): Endpoint {
  return {
    operation: {
      method: 'post',
      path: `${path}:${verb}`,
      summary,
      key: 'basic',
      responses: operation,
    },
    createHandler: withJob(async (context, jobs, { id }) =>
      report(context, jobs, await jobs[verb](id)),
    ),
  }
}

/** Finds the job of the path. */
function withJob(
  respond: (context: Context, jobs: Jobs, job: JobDocument) => Promise<object>,
): Endpoint['createHandler'] {
  return ({ jobs }) =>
    jobs &&
    (async (context) => {
      const { collection = '', job: id = '', operation = id } = context.req.param()
      const kind = kindOfCollection(collection)
      const isKnown = kind && operation.replace(/:[a-z]+$/, '') === id
      if (!isKnown) {
        const message = 'Unknown operation: use the name that the service returned for the text'
        throw new ServiceError('NOT_FOUND', message)
      }
      return context.json(await respond(context, jobs, await jobs.find(id, kind)))
    })
}

async function report(context: Context, jobs: Jobs, job: JobDocument) {
  const isEndedText = job.kind === 'speech' && job.ended
  const [progress, result] = await Promise.all([
    jobs.progressOf(job),
    isEndedText ? jobs.resultOf(job, 0) : undefined,
  ])
  return toOperation({ job, progress, result, origin: originOf(context) })
}

/** The response to a submission. The job of an earlier one with the same key may have ended. */
export async function reportSubmitted(context: Context, jobs: Jobs, job: JobDocument) {
  return job.ended ? report(context, jobs, job) : toOperation({ job, origin: originOf(context) })
}

/** The address at which the caller has reached the service. A proxy that ends TLS says so. */
export function originOf({ req }: Context): string {
  const { host, protocol } = new URL(req.url)
  const isSecure = req.header('x-forwarded-proto') === 'https'
  return `${isSecure ? 'https:' : protocol}//${host}`
}
