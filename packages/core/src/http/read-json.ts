import type { z } from 'zod'
import { responseTooLarge } from '../protocol-errors.ts'
import { parseJson } from '../wire/decode.ts'
import { errorIn } from '../wire/problem.ts'
import type { HttpResponse } from './response.ts'
import { statedProblem } from './stated-problem.ts'

/** A response whose body was JSON of the expected format. */
export interface JsonResponse<Data> extends Pick<HttpResponse, 'header' | 'bad'> {
  what: string
  requestId: string
  data: Data
}

/** Reads the whole body as JSON. @throws {ProtocolError} `RESPONSE_TOO_LARGE` above `maxBytes`, `BAD_RESPONSE`. */
export async function readJson(response: HttpResponse, maxBytes: number): Promise<unknown> {
  const body = await collect(response.bytes(), maxBytes)
  if (!body) {
    const problem = `the response is larger than the limit of ${maxBytes} bytes`
    throw responseTooLarge(response, problem)
  }
  const json = parseJson(body.toString('utf8'))
  if (json === undefined) throw response.bad('the response is not JSON')
  return json
}

/**
 * @throws {ApiError} if the body states an error despite its status.
 * @throws {ProtocolError} `BAD_RESPONSE` if the body does not match the schema.
 */
export function parseResponse<Schema extends z.ZodType>(
  schema: Schema,
  response: HttpResponse,
  json: unknown,
): JsonResponse<z.output<Schema>> {
  const error = errorIn(json)
  if (error) throw response.errorOf(statedProblem(error))
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw response.bad('the response does not match the expected format')
  const { what, requestId, header, bad } = response
  return { what, requestId, header, bad, data: parsed.data }
}

/** Reads all chunks. @returns `undefined` if they exceed `maxBytes`; the rest is not read. */
async function collect(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const kept: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of chunks) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) return undefined
    kept.push(chunk)
  }
  return Buffer.concat(kept)
}
