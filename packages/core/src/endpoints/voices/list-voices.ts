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

const what = 'Voice list'

/** All voices asked for, or one page of them. */
export interface VoiceList {
  voices: Voice[]
  /** Hand it to the next call to get the next page; absent on the last one. */
  nextPageToken?: string
  totalSize?: number
  requestId: string
}

/** `GET /voices/v1/voices`: library voices and cloned ones. */
export async function listVoices(
  { transport }: EndpointContext,
  request: VoiceListRequest = {},
  call: Call,
): Promise<VoiceList> {
  const query = parseInput(voiceListRequestSchema, request, `${what} request`)
  const response = await transport.sendForJson(
    {
      what,
      method: 'GET',
      path: '/voices/v1/voices',
      query,
    },
    call,
  )
  const { voices, nextPageToken, totalSize } = parseResponse(voiceListSchema, response, what)
  return {
    voices: voices ?? [],
    nextPageToken: nextPageToken || undefined,
    totalSize: totalSize ?? undefined,
    requestId: response.requestId,
  }
}
