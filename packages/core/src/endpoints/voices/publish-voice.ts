import type { z } from 'zod'
import type { Call } from '../../http/call.ts'
import { parseInput } from '../../parse-input.ts'
import { type Voice, voicePublicationRequestSchema } from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'
import { sendForVoice, voicePath } from './get-voice.ts'

/** The designed voice to keep, and its description. */
export type VoicePublicationRequest = z.input<typeof voicePublicationRequestSchema>

/** `POST /voices/v1/voices/{voiceId}:publish`: keeps a designed voice, which the service would otherwise delete. */
export async function publishVoice(
  context: EndpointContext,
  request: VoicePublicationRequest,
  call: Call,
): Promise<Voice> {
  const what = 'Voice publication'
  const { voiceId, ...json } = parseInput(voicePublicationRequestSchema, request, what)
  const path = `${voicePath(voiceId)}:publish`
  return sendForVoice(context, { what, method: 'POST', path, body: { json } }, call)
}
