import { z } from 'zod'
import { ServiceError } from '../errors.ts'

/** @throws {ServiceError} naming every invalid field, never its value, and for an unknown field the known ones. */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  request: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(request)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => {
    const field = issue.path.join('.')
    const known = issue.code === 'unrecognized_keys' ? fieldsAt(schema, issue.path) : []
    const hint = known.length > 0 ? `; known fields: ${known.join(', ')}` : ''
    return `${field ? `${field}: ` : ''}${issue.message}${hint}`
  })
  throw new ServiceError('INVALID_ARGUMENT', problems.join('; '))
}

function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const [field, ...deeper] = path
  if (schema instanceof z.ZodOptional) return fieldsAt(schema.unwrap() as z.ZodType, path)
  if (!(schema instanceof z.ZodObject)) return []
  const { shape } = schema as z.ZodObject
  if (field === undefined) return Object.keys(shape)
  const next = shape[String(field)] as z.ZodType | undefined
  return next ? fieldsAt(next, deeper) : []
}
