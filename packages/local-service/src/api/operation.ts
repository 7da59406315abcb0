import { z } from 'zod'

/** A schema and its name in the OpenAPI description. */
export interface NamedSchema {
  name: string
  schema: z.ZodType
}

/** An operation of the service, as OpenAPI describes it. */
export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** With parameters in braces: `/voices/v1/voices/{voiceId}`. */
  path: string
  summary: string
  /** How the operation accepts a key, if the service has one. */
  key: 'none' | 'basic' | 'basic or bearer'
  /** The query parameters, as one object. */
  query?: NamedSchema
  body?: NamedSchema
  /** The fields of a body that is a form (`multipart/form-data`). */
  form?: NamedSchema
  /** A valid body, for the OpenAPI description; the fuzz tests vary it. */
  bodyExample?: object
  /** What a successful response contains, by media type. */
  responses: Readonly<Record<string, NamedSchema | 'bytes' | 'text'>>
  /** The status of a successful response. Default 200. */
  status?: number
  /** Further schemas to describe, such as that of the events in a stream. */
  related?: readonly NamedSchema[]
}

export function named(name: string, schema: z.ZodType): NamedSchema {
  return { name, schema }
}

const voicesPath = '/voices/v1/voices'

/** Every path of an operation. Voice operations may name a workspace; every name means the same one. */
export function pathsOf({ path }: Operation): string[] {
  if (!path.startsWith(voicesPath)) return [path]
  return [path, path.replace(voicesPath, '/voices/v1/workspaces/{workspace}/voices')]
}

/** The body of an error. */
export const problem = named(
  'Problem',
  z.object({ code: z.int(), message: z.string(), details: z.array(z.unknown()) }),
)

/** The body of an error below `/v1/`. */
export const openAiProblem = named(
  'OpenAiProblem',
  z.object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.null(),
      code: z.string().nullable(),
    }),
  }),
)
