import { z } from 'zod'
import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import type { HttpRequest } from '../../http/transport.ts'
import { parseInput } from '../../parse-input.ts'
import { type Voice, voiceIdSchema, voiceSchema } from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'

/** `GET /voices/v1/voices/{voiceId}`. */
export async function getVoice(
  context: EndpointContext,
  voiceId: string,
  call: Call,
): Promise<Voice> {
  const path = voicePath(voiceId)
  return sendForVoice(context, { what: 'Voice', method: 'GET', path }, call)
}

/** A request that is about one voice; what else it says is parsed by its endpoint. */
export const voiceChoiceSchema = z.looseObject({ voiceId: voiceIdSchema })

/** @throws {InputError} when this cannot be the id of a voice. */
export function voicePath(voiceId: string): string {
  return `/voices/v1/voices/${encodeURIComponent(parseInput(voiceIdSchema, voiceId, 'Voice id'))}`
}

/** Sends a request whose response is a voice. */
export async function sendForVoice(
  { transport }: EndpointContext,
  request: HttpRequest,
  call: Call,
): Promise<Voice> {
  return parseResponse(voiceSchema, await transport.sendForJson(request, call), request.what)
}
