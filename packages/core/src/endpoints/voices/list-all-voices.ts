import { type Call, purposeOf } from '../../http/call.ts'
import { badResponse } from '../../protocol-errors.ts'
import type { Voice, VoiceListRequest } from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'
import { parseVoiceListRequest, requestVoices, what } from './list-voices.ts'

// Without a page size, the service returns up to 2,000 voices and may not report that there are more.
const defaultPageSize = 100

/**
 * Yields the voices of all pages and requests each page when the loop needs it. The generator can be consumed once.
 * `timeoutMs` covers all pages and starts with the first request.
 * @param request `pageSize` is 100 by default; `pageToken` starts at a later page.
 * @throws {InputError} immediately if the request is not valid.
 */
export function listAllVoices(
  context: EndpointContext,
  request: VoiceListRequest = {},
  call: Call,
): AsyncGenerator<Voice, void> {
  const { pageSize = defaultPageSize, ...query } = parseVoiceListRequest(request)
  return readPages(context, { ...query, pageSize }, call)
}

async function* readPages(
  context: EndpointContext,
  query: VoiceListRequest,
  call: Call,
): AsyncGenerator<Voice, void> {
  const usedTokens = new Set<string>()
  let { pageToken } = query
  do {
    if (pageToken) usedTokens.add(pageToken)
    const page = await requestVoices(context, { ...query, pageToken }, call)
    yield* page.voices
    pageToken = page.nextPageToken
    if (pageToken && usedTokens.has(pageToken)) {
      const problem = 'the service repeats a page, so the list would never end'
      throw badResponse({ what: purposeOf(call, what), requestId: page.requestId }, problem)
    }
  } while (pageToken)
}
