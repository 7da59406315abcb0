import { z } from 'zod'
import { nearestName } from './nearest-name.ts'

/** What a schema reports about one value, before zod puts it into English of its own. */
type Issue = Parameters<z.core.$ZodErrorMap>[0]

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  function: 'a function',
}

// A value may have thousands of unknown fields, and a search for the nearest known name takes some 20 µs.
const maxSearches = 100

/** What is wrong with a value. */
export interface Problems {
  /** A phrase such as `audioConfig.speakingRate must be between 0.5 and 1.5`: it names the field, never its value. */
  problems: string[]
  issues: readonly z.core.$ZodIssue[]
}

/** Parses a value, and describes its problems in plain words. */
export function parseInWords<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { data: z.output<Schema> } | Problems {
  let searches = 0
  const parsed = schema.safeParse(value, {
    error(issue) {
      const isSearch = issue.code === 'unrecognized_keys'
      return describe(isSearch && ++searches > maxSearches ? undefined : schema, issue)
    },
  })
  if (parsed.success) return { data: parsed.data }
  const { issues } = parsed.error
  return {
    problems: issues.map(({ path, message }) => withField(path.join('.'), message)),
    issues,
  }
}

function withField(field: string, message: string): string {
  // A problem of unknown fields names them itself.
  if (message.includes(unknownField)) return message
  const isPredicate = /^(must|is|has) /.test(message)
  if (field === '') return isPredicate ? `the value ${message}` : message
  return isPredicate ? `${field} ${message}` : `${field}: ${message}`
}

/** @param schema the schema of the whole value. Without one, the description of an unknown field names no known ones. */
function describe(schema: z.ZodType | undefined, issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${typeName(issue.expected)}`
    case 'too_small':
    case 'too_big':
      return describeSize(schemaAt(schema, issue.path), issue)
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : mustBe(issue.values.map(String))
    case 'unrecognized_keys':
      return describeUnknown(schema, issue)
    case 'invalid_union':
      return describeUnion(issue)
    default:
      return 'is not valid'
  }
}

function typeName(expected: string): string {
  return typeNames[expected] ?? `a value of type ${expected}`
}

function mustBe(values: readonly string[]): string {
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`
}

type SizeIssue = Extract<Issue, { code: 'too_small' | 'too_big' }>

function describeSize(schema: z.ZodType | undefined, issue: SizeIssue): string {
  const { origin } = issue
  const isNumber = origin === 'number' || origin === 'int'
  // The schema knows both limits, the issue only the one that the value exceeds.
  const { minValue, maxValue } = isNumber && schema instanceof z.ZodNumber ? schema : {}
  if (isLimit(minValue) && isLimit(maxValue) && issue.inclusive !== false) {
    return `must be between ${minValue} and ${maxValue}`
  }
  const unit = isNumber ? '' : origin === 'string' ? ' characters' : ' entries'
  const verb = isNumber ? 'be' : 'have'
  if (issue.code === 'too_small') {
    if (unit && issue.minimum === 1) return 'must not be empty'
    const bound = issue.inclusive === false ? 'more than' : 'at least'
    return `must ${verb} ${bound} ${issue.minimum}${unit}`
  }
  const bound = issue.inclusive === false ? 'less than' : 'at most'
  return `must ${verb} ${bound} ${issue.maximum}${unit}`
}

/** Whole numbers without a limit of their own have that of JavaScript. */
function isLimit(value: number | null | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

const unknownField = 'is not a known field'

function describeUnknown(
  schema: z.ZodType | undefined,
  { keys, path }: Extract<Issue, { code: 'unrecognized_keys' }>,
): string {
  const holder = schemaAt(schema, path)
  const known = holder instanceof z.ZodObject ? Object.keys(holder.shape) : []
  const [first] = keys
  const name = [...(path ?? []), first].join('.')
  const nearest = nearestName(String(first), known)
  const more = keys.length > 1 ? `, and ${keys.length - 1} more` : ''
  if (nearest) return `${name} ${unknownField}: did you mean ${nearest}?${more}`
  const list = known.length > 0 ? `; known fields: ${known.join(', ')}` : ''
  return `${name} ${unknownField}${more}${list}`
}

/** The problem inside the form that the value resembles most; otherwise the possible types. */
function describeUnion({ input, errors }: Extract<Issue, { code: 'invalid_union' }>): string {
  if (input === undefined) return 'is missing'
  const issues = errors.flat()
  const inner = issues.find(({ path }) => path.length > 0)
  if (inner) return `is not valid: ${inner.path.join('.')} ${inner.message}`
  const types = issues.flatMap((issue) =>
    issue.code === 'invalid_type' ? typeName(issue.expected) : [],
  )
  return types.length > 0 ? `must be ${[...new Set(types)].join(' or ')}` : 'is not valid'
}

/** The schema of a field. */
function schemaAt(
  schema: z.ZodType | undefined,
  path: readonly PropertyKey[] = [],
): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return schemaAt(schema.unwrap() as z.ZodType, path)
  }
  const [field, ...deeper] = path
  if (field === undefined) return schema
  if (schema instanceof z.ZodArray) return schemaAt(schema.element as z.ZodType, deeper)
  if (!(schema instanceof z.ZodObject)) return undefined
  return schemaAt(schema.shape[String(field)] as z.ZodType | undefined, deeper)
}
