import { z } from 'zod'

const statusSchema = z.looseObject({
  /** A gRPC status number, whatever the HTTP status says. */
  code: z.union([z.number(), z.string()]).nullish(),
  message: z.string().nullish(),
  details: z.array(z.unknown()).nullish(),
})

/** The error body: bare, or inside `error`; in a stream always inside `error`. */
export const problemSchema = statusSchema.extend({
  error: z.union([statusSchema, z.string()]).nullish(),
})

/** What an error body says: the gRPC status number, where it has one, and the message. */
export type Problem = { code?: number; message: string }

/** The gRPC status numbers the service uses: their names and the HTTP status that goes with each. */
export const statusCodes = {
  CANCELLED: { number: 1, httpStatus: 499 },
  UNKNOWN: { number: 2, httpStatus: 500 },
  INVALID_ARGUMENT: { number: 3, httpStatus: 400 },
  DEADLINE_EXCEEDED: { number: 4, httpStatus: 504 },
  NOT_FOUND: { number: 5, httpStatus: 404 },
  ALREADY_EXISTS: { number: 6, httpStatus: 409 },
  PERMISSION_DENIED: { number: 7, httpStatus: 403 },
  RESOURCE_EXHAUSTED: { number: 8, httpStatus: 429 },
  FAILED_PRECONDITION: { number: 9, httpStatus: 400 },
  ABORTED: { number: 10, httpStatus: 409 },
  OUT_OF_RANGE: { number: 11, httpStatus: 400 },
  UNIMPLEMENTED: { number: 12, httpStatus: 501 },
  INTERNAL: { number: 13, httpStatus: 500 },
  UNAVAILABLE: { number: 14, httpStatus: 503 },
  DATA_LOSS: { number: 15, httpStatus: 500 },
  UNAUTHENTICATED: { number: 16, httpStatus: 401 },
} as const

/** The name of a gRPC status. */
export type StatusCode = keyof typeof statusCodes

// What is meant where several codes have the status, or none has: a conflict that nobody names may pass.
const codesByStatus: ReadonlyMap<number, StatusCode> = new Map([
  [402, 'RESOURCE_EXHAUSTED'],
  [408, 'DEADLINE_EXCEEDED'],
  [409, 'ABORTED'],
  [500, 'INTERNAL'],
])

/** The name for an HTTP status where no code is stated. @returns `undefined` for one that is no error. */
export function codeOfHttpStatus(status: number): StatusCode | undefined {
  if (!(status >= 400 && status < 600)) return undefined
  const names = Object.keys(statusCodes) as StatusCode[]
  const first = names.find((name) => statusCodes[name].httpStatus === status)
  return codesByStatus.get(status) ?? first ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
}

/** Reads the message and the gRPC number out of any error body the service is known to send. */
export function readProblem(body: unknown): Problem {
  if (typeof body === 'string') return { message: body.trim() }
  const parsed = problemSchema.safeParse(body)
  if (!parsed.success) return { message: '' }
  const { error } = parsed.data
  if (typeof error === 'string') return { message: error }
  const status = error ?? parsed.data
  return {
    code: typeof status.code === 'number' ? status.code : undefined,
    message: status.message || firstText(status.details) || '',
  }
}

function firstText(details: unknown[] | null | undefined): string | undefined {
  for (const detail of details ?? []) {
    if (typeof detail === 'string') return detail
    const message = (detail as { message?: unknown } | null)?.message
    if (typeof message === 'string') return message
  }
  return undefined
}
