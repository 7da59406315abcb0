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
  const id = parseVoiceId(voiceId)
  return sendForVoice(context, { what: 'Voice', method: 'GET', path: voicePath(id) }, call)
}

/** @throws {InputError} if this cannot be the id of a voice. */
export function parseVoiceId(voiceId: string): string {
  return parseInput(voiceIdSchema, voiceId, 'Voice id')
}

/** @param voiceId a parsed id: others could change the path. */
export function voicePath(voiceId: string): string {
  return `/voices/v1/voices/${encodeURIComponent(voiceId)}`
}

/** Sends a request whose response is a voice. */
export async function sendForVoice(
  { transport }: EndpointContext,
  request: HttpRequest,
  call: Call,
): Promise<Voice> {
  return parseResponse(voiceSchema, await transport.sendForJson(request, call))
}
