import { z } from 'zod'
import { looseObject } from './object-schema.ts'

const statusSchema = looseObject({
  /** A gRPC status number. It may differ from the HTTP status. */
  code: z.union([z.number(), z.string()]).nullish(),
  message: z.string().nullish(),
  details: z.array(z.unknown()).nullish(),
})

/** The error body: the status itself, or the status inside `error`. In a stream it is always inside `error`. */
export const problemSchema = looseObject({
  ...statusSchema.shape,
  error: z.union([statusSchema, z.string()]).nullish(),
})

/** The content of an error body: the gRPC status number, if it has one, and the message. */
export type Problem = { code?: number; message: string }

/** The gRPC status codes: number and matching HTTP status. Source: google/rpc/code.proto. */
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

// For a status that several codes share, or that none has. Without a stated code, a 409 counts as a conflict that a
// retry can resolve, and a 402 as an exhausted quota.
const codesByStatus: ReadonlyMap<number, StatusCode> = new Map([
  [402, 'RESOURCE_EXHAUSTED'],
  [408, 'DEADLINE_EXCEEDED'],
  [409, 'ABORTED'],
  [500, 'INTERNAL'],
])

/** Maps an HTTP status to a code, for a response that states none. @returns `undefined` outside of 400 to 599. */
export function codeOfHttpStatus(status: number): StatusCode | undefined {
  if (!(status >= 400 && status < 600)) return undefined
  const names = Object.keys(statusCodes) as StatusCode[]
  const first = names.find((name) => statusCodes[name].httpStatus === status)
  return codesByStatus.get(status) ?? first ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
}

/**
 * Finds the error in a message that may contain a result instead: in `error`, or the message is itself an error body with a
 * code and a message. @returns `undefined` if there is none.
 */
export function errorIn(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return undefined
  const { error, code, message: text } = message as Record<string, unknown>
  if (error) return error
  const isStatus = typeof code === 'number' ? code !== 0 : typeof code === 'string' && code !== ''
  return isStatus && typeof text === 'string' ? message : undefined
}

/** Reads the message and the gRPC number from any error body that the service is known to send. */
export function readProblem(body: unknown): Problem {
  if (typeof body === 'string') return { message: body.trim() }
  const parsed = problemSchema.safeParse(body)
  if (!parsed.success) return { message: '' }
  const { error } = parsed.data
  if (typeof error === 'string') return { message: error }
  const status = error ?? parsed.data
  return {
    code: codeNumber(status.code),
    message:
      status.message ||
      firstText(status.details) ||
      firstText([parsed.data['detail']].flat()) ||
      '',
  }
}

/** Services that use the OpenAI format send the name of the code: `unimplemented`. Others send the number as text. */
function codeNumber(code: number | string | null | undefined): number | undefined {
  if (typeof code !== 'string') return code ?? undefined
  if (/^\d+$/.test(code)) return Number(code)
  const names = Object.keys(statusCodes) as StatusCode[]
  const name = names.find((known) => known === code.toUpperCase())
  return name && statusCodes[name].number
}

/** Servers that use FastAPI have a `detail`: a text, an object with a `message`, or a list of objects with a `msg`. */
function firstText(details: unknown[] | null | undefined): string | undefined {
  for (const detail of details ?? []) {
    if (typeof detail === 'string') return detail
    const { message, msg = message } = (detail ?? {}) as { message?: unknown; msg?: unknown }
    if (typeof msg === 'string') return msg
  }
  return undefined
}
