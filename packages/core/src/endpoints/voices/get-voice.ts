import { z } from 'zod'
import type { CallOptions } from '../../http/call-options.ts'
import { parseResponse } from '../../http/parse-response.ts'
import type { Call, Transport } from '../../http/transport.ts'
import { parseInput } from '../../parse-input.ts'
import { type Voice, voiceIdSchema, voiceSchema } from '../../wire/voices.ts'

/** `GET /voices/v1/voices/{voiceId}`. */
export async function getVoice(
  transport: Transport,
  voiceId: string,
  call?: CallOptions,
): Promise<Voice> {
  const path = voicePath(voiceId)
  return sendForVoice(transport, { what: 'Voice', method: 'GET', path, ...call })
}

/** A request that is about one voice; what else it says is parsed by its endpoint. */
export const voiceChoiceSchema = z.looseObject({ voiceId: voiceIdSchema })

/** @throws {InputError} when this cannot be the id of a voice. */
export function voicePath(voiceId: string): string {
  return `/voices/v1/voices/${encodeURIComponent(parseInput(voiceIdSchema, voiceId, 'Voice id'))}`
}

/** Makes a call whose answer is the voice itself. */
export async function sendForVoice(transport: Transport, call: Call): Promise<Voice> {
  return parseResponse(voiceSchema, await transport.sendForJson(call), call.what)
}
