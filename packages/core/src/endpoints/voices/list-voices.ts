import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type Voice,
  type VoiceListRequest,
  voiceListRequestSchema,
  voiceListSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'

/** The kind of call. */
export const what = 'Voice list'

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

/** `GET /voices/v1/voices`: lists library voices and cloned voices. */
export async function listVoices(
  context: EndpointContext,
  request: VoiceListRequest = {},
  call: Call,
): Promise<VoiceList> {
  return requestVoices(context, parseVoiceListRequest(request), call)
}

/** @throws {InputError} naming the fields that are not valid. */
export function parseVoiceListRequest(request: VoiceListRequest): VoiceListRequest {
  return parseInput(voiceListRequestSchema, request, `${what} request`)
}

/** @param query a parsed request. */
export async function requestVoices(
  { transport }: EndpointContext,
  query: VoiceListRequest,
  call: Call,
): Promise<VoiceList> {
  const response = await transport.sendForJson(
    { what, method: 'GET', path: '/voices/v1/voices', query },
    call,
  )
  const { voices, nextPageToken, totalSize, problems } = parseResponse(voiceListSchema, response)
  return {
    voices: voices ?? [],
    nextPageToken: nextPageToken || undefined,
    totalSize: totalSize ?? undefined,
    problems: problems ?? undefined,
    requestId: response.requestId,
  }
}
