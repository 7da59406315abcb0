import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { badResponse } from '../../protocol-errors.ts'
import {
  type Voice,
  type VoiceListRequest,
  voiceListRequestSchema,
  voiceListSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../response-source.ts'

/** All matching voices, or one page of them. */
export interface VoiceList {
  voices: Voice[]
  /** The `pageToken` for the request of the next page; `undefined` on the last page. */
  nextPageToken?: string
  totalSize?: number
  /** Why voices are missing, or cannot speak, at the moment: sentences of the local service about other servers. */
  problems?: string[]
  requestId: string
}

// Without a page size, the service returns up to 2,000 voices and may not report that there are more.
const defaultPageSize = 100

/** `GET /voices/v1/voices`: lists library voices and cloned voices. */
export async function listVoices(
  context: EndpointContext,
  request: VoiceListRequest = {},
  call: Call,
): Promise<VoiceList> {
  return requestVoices(context, parseRequest(request), call)
}

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
  const { pageSize = defaultPageSize, ...query } = parseRequest(request)
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
    const { voices, nextPageToken, requestId } = await requestVoices(
      context,
      { ...query, pageToken },
      call,
    )
    yield* voices
    pageToken = nextPageToken
    if (pageToken && usedTokens.has(pageToken)) {
      const problem = 'the service repeats a page, so the list would never end'
      throw badResponse({ what: call.what, requestId }, problem)
    }
  } while (pageToken)
}

function parseRequest(request: VoiceListRequest): VoiceListRequest {
  return parseInput(voiceListRequestSchema, request, 'Voice list request')
}

async function requestVoices(
  { transport }: EndpointContext,
  query: VoiceListRequest,
  call: Call,
): Promise<VoiceList> {
  const request = { method: 'GET', path: '/voices/v1/voices', query } as const
  const { data, requestId } = await transport.sendForJson(voiceListSchema, request, call)
  return {
    voices: data.voices ?? [],
    nextPageToken: data.nextPageToken || undefined,
    totalSize: data.totalSize ?? undefined,
    problems: data.problems ?? undefined,
    requestId,
  }
}
