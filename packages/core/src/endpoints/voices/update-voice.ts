import type { Call } from '../../http/call.ts'
import { parseInput } from '../../parse-input.ts'
import { type Voice, type VoiceUpdate, voiceUpdateSchema } from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'
import { sendForVoice, voiceChoiceSchema, voicePath } from './get-voice.ts'

/** Which voice to change, and what of it. */
export type VoiceUpdateRequest = VoiceUpdate & { voiceId: string }

/** `PATCH /voices/v1/voices/{voiceId}`: changes what the request names. @returns the voice as it is then. */
export async function updateVoice(
  context: EndpointContext,
  request: VoiceUpdateRequest,
  call: Call,
): Promise<Voice> {
  const { voiceId, ...update } = parseInput(voiceChoiceSchema, request, 'Voice update')
  const path = voicePath(voiceId)
  const body = parseInput(voiceUpdateSchema, update, 'Voice update')
  return sendForVoice(
    context,
    { what: 'Voice update', method: 'PATCH', path, body: { json: body } },
    call,
  )
}
