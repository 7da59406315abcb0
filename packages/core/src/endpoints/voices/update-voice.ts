import type { z } from 'zod'
import type { Call } from '../../http/call.ts'
import { parseInput } from '../../parse-input.ts'
import { type Voice, voiceUpdateRequestSchema } from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'
import { sendForVoice, voicePath } from './get-voice.ts'

/** The voice to change, and its new fields. Absent fields stay unchanged. */
export type VoiceUpdateRequest = z.input<typeof voiceUpdateRequestSchema>

/** `PATCH /voices/v1/voices/{voiceId}`: changes the given fields. @returns the changed voice. */
export async function updateVoice(
  context: EndpointContext,
  request: VoiceUpdateRequest,
  call: Call,
): Promise<Voice> {
  const what = 'Voice update'
  const { voiceId, ...json } = parseInput(voiceUpdateRequestSchema, request, what)
  const path = voicePath(voiceId)
  return sendForVoice(context, { what, method: 'PATCH', path, body: { json } }, call)
}
