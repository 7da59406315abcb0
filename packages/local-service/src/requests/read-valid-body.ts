import type { Context } from 'hono'
import type { z } from 'zod'
import { camelCaseKeys } from './camel-case.ts'
import { parseRequest } from './parse-request.ts'
import { readJsonBody } from './read-json.ts'

/**
 * Reads a JSON body in the format of this service, whose keys may be snake_case.
 * @throws {ServiceError} if it is not JSON, or does not match the schema.
 */
export async function readValidBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  return parseRequest(context, schema, camelCaseKeys(await readJsonBody(context)))
}
