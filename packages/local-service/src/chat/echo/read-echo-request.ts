import { type ChatRequest, chatRequestSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'
import { parseRequest } from '../../requests/parse-request.ts'
import { echoModel } from './echo.ts'

/**
 * Reads a request to the built-in model. Sampling parameters (temperature, seed, …) have no effect, because the
 * echo is deterministic.
 * @throws {ServiceError} if the request is invalid or asks for something that the echo does not support.
 */
export function readEchoRequest(
  context: Context,
  body: Readonly<Record<string, unknown>>,
): ChatRequest {
  const { n, ...rest } = body
  const request = parseRequest(context, chatRequestSchema, rest)
  const asked = {
    n: n !== undefined && n !== null && n !== 1,
    tools: (request.tools?.length ?? 0) > 0,
    response_format: (request.response_format?.type ?? 'text') !== 'text',
    modalities: request.modalities?.some((modality) => modality !== 'text'),
    audio: request.audio,
    image_config: request.image_config,
    web_search: request.web_search || request.web_search_options,
    extra_body: request.extra_body,
  }
  const unsupported = Object.keys(asked).find((name) => asked[name as keyof typeof asked])
  if (unsupported) {
    throw new ServiceError('UNIMPLEMENTED', `${echoModel} does not support ${unsupported}`)
  }
  return request
}
