import type { z } from 'zod'
import { ApiError, type ParlandoError } from '../../errors.ts'
import { wasNeverReceived } from '../../http/attempt.ts'
import type { Call } from '../../http/client-options.ts'
import { readStart } from '../../http/read-body.ts'
import type { HttpRequest } from '../../http/transport.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type Voice,
  voiceIdSchema,
  voicePublicationRequestSchema,
  voiceSchema,
  voiceUpdateRequestSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../response-source.ts'

/** The voice to change, and its new fields. Absent fields stay unchanged. */
export type VoiceUpdateRequest = z.input<typeof voiceUpdateRequestSchema>

/** The designed voice to keep, and its description. */
export type VoicePublicationRequest = z.input<typeof voicePublicationRequestSchema>

const maxRemovalBytes = 64 * 1024

/** `GET /voices/v1/voices/{voiceId}`. */
export async function getVoice(
  context: EndpointContext,
  voiceId: string,
  call: Call,
): Promise<Voice> {
  return sendForVoice(context, { method: 'GET', path: voicePath(parseVoiceId(voiceId)) }, call)
}

/** `PATCH /voices/v1/voices/{voiceId}`: changes the given fields. @returns the changed voice. */
export async function updateVoice(
  context: EndpointContext,
  request: VoiceUpdateRequest,
  call: Call,
): Promise<Voice> {
  const { voiceId, ...json } = parseInput(voiceUpdateRequestSchema, request, 'Voice update')
  return sendForVoice(context, { method: 'PATCH', path: voicePath(voiceId), body: { json } }, call)
}

/** `POST /voices/v1/voices/{voiceId}:publish`: keeps a designed voice, which the service would otherwise delete. */
export async function publishVoice(
  context: EndpointContext,
  request: VoicePublicationRequest,
  call: Call,
): Promise<Voice> {
  const parsed = parseInput(voicePublicationRequestSchema, request, 'Voice publication')
  const { voiceId, ...json } = parsed
  const path = `${voicePath(voiceId)}:publish`
  return sendForVoice(context, { method: 'POST', path, body: { json } }, call)
}

/** `DELETE /voices/v1/voices/{voiceId}`. */
export async function deleteVoice(
  { transport }: EndpointContext,
  voiceId: string,
  call: Call,
): Promise<void> {
  const path = voicePath(parseVoiceId(voiceId))
  try {
    await transport.send(
      { method: 'DELETE', path },
      call,
      // The status is the result. Reading the body, `{}` according to the documentation, frees the connection for reuse.
      ({ bytes }) => readStart(bytes(), maxRemovalBytes),
    )
    call.signal?.throwIfAborted()
  } catch (error) {
    // An attempt whose response was lost may have deleted the voice; the next attempt then finds none.
    const isMissing = ApiError.isInstance(error) && error.code === 'NOT_FOUND'
    if (!isMissing || !error.earlierErrors?.some(mayHaveBeenCarriedOut)) throw error
  }
}

function mayHaveBeenCarriedOut(error: ParlandoError): boolean {
  const isRejected = ApiError.isInstance(error) && error.status < 500
  return !isRejected && !wasNeverReceived(error)
}

function parseVoiceId(voiceId: string): string {
  return parseInput(voiceIdSchema, voiceId, 'Voice id')
}

/** @param voiceId a parsed id: others could change the path. */
function voicePath(voiceId: string): string {
  return `/voices/v1/voices/${encodeURIComponent(voiceId)}`
}

async function sendForVoice(
  { transport }: EndpointContext,
  request: HttpRequest,
  call: Call,
): Promise<Voice> {
  const { data } = await transport.sendForJson(voiceSchema, request, call)
  return data
}
