import { ProtocolError } from '../errors.ts'
import { parseInput } from '../parse-input.ts'
import type { Transport } from '../transport.ts'
import {
  type Voice,
  type VoiceListRequest,
  voiceListRequestSchema,
  voiceListSchema,
} from '../wire/voices.ts'

export interface VoiceList {
  voices: Voice[]
  /** Hand it to the next call to get the next page; absent on the last one. */
  nextPageToken?: string
  totalSize?: number
}

/** `GET /voices/v1/voices`: library voices and cloned ones. */
export async function listVoices(
  transport: Transport,
  request: VoiceListRequest = {},
  signal?: AbortSignal,
): Promise<VoiceList> {
  const query = parseInput(voiceListRequestSchema, request, 'Voice list request')
  const { json, requestId } = await transport.sendForJson({
    what: 'Voice list',
    method: 'GET',
    path: '/voices/v1/voices',
    query,
    signal,
  })
  const list = voiceListSchema.safeParse(json)
  if (!list.success) {
    throw new ProtocolError('Voice list failed: the answer has not the shape of a voice list', {
      code: 'BAD_ANSWER',
      requestId,
    })
  }
  const { voices, nextPageToken, totalSize } = list.data
  return {
    voices: voices ?? [],
    nextPageToken: nextPageToken || undefined,
    totalSize: totalSize ?? undefined,
  }
}
