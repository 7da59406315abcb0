import { ProtocolError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { parseInput } from '../../parse-input.ts'
import { type Voice, type VoiceListRequest, voiceListRequestSchema } from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'
import { listVoices } from './list-voices.ts'

/** Asked for without a page size, the service gives no more than 2,000 voices and may not say that there are more. */
const defaultPageSize = 100

/**
 * Lists the voices of all pages one by one; the next page is asked for when the loop gets there. It can be consumed
 * once.
 * @param request `pageSize` is 100 by default; `pageToken` begins in the middle.
 * @throws {InputError} at once, when the request is not valid.
 */
export function listAllVoices(
  context: EndpointContext,
  request: VoiceListRequest = {},
  call: Call,
): AsyncGenerator<Voice, void> {
  const query = parseInput(voiceListRequestSchema, request, 'Voice list request')
  return readPages(context, { ...query, pageSize: query.pageSize ?? defaultPageSize }, call)
}

async function* readPages(
  context: EndpointContext,
  query: VoiceListRequest,
  call: Call,
): AsyncGenerator<Voice, void> {
  const usedTokens = new Set<string>()
  let pageToken = query.pageToken
  do {
    if (pageToken) usedTokens.add(pageToken)
    const page = await listVoices(context, { ...query, pageToken }, call)
    yield* page.voices
    pageToken = page.nextPageToken
    if (pageToken && usedTokens.has(pageToken)) {
      throw new ProtocolError(
        'Voice list failed: the service repeats a page, so it would not end',
        {
          code: 'BAD_RESPONSE',
          requestId: page.requestId,
        },
      )
    }
  } while (pageToken)
}
