import { z } from 'zod'

// The client sets these itself: they say where a request goes, who sends it, or how long its body is.
const reservedNames = new Set([
  'accept',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
])

const nameProblem = (name: string): string | undefined => {
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) return 'not a valid header name'
  if (reservedNames.has(name.toLowerCase())) return 'the client sets this header itself'
  return undefined
}

/** Headers by name. Parsed, the names are in lower case. */
export const headersSchema = z
  .record(
    z.string(),
    z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'a header value is one line of Latin-1 text'),
  )
  .superRefine((headers, context) => {
    for (const name of Object.keys(headers)) {
      const message = nameProblem(name)
      if (message) context.addIssue({ code: 'custom', path: [name], message })
    }
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  )
