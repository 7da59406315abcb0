import type { CallOptions } from '../../http/call-options.ts'
import type { Transport } from '../../http/transport.ts'
import { parseInput } from '../../parse-input.ts'
import { type Voice, type VoiceUpdate, voiceUpdateSchema } from '../../wire/voices.ts'
import { sendForVoice, voiceChoiceSchema, voicePath } from './get-voice.ts'

/** Which voice to change, and what of it. */
export type VoiceUpdateRequest = VoiceUpdate & { voiceId: string }

/** `PATCH /voices/v1/voices/{voiceId}`: changes what the request names. @returns the voice as it is then. */
export async function updateVoice(
  transport: Transport,
  request: VoiceUpdateRequest,
  call?: CallOptions,
): Promise<Voice> {
  const { voiceId, ...update } = parseInput(voiceChoiceSchema, request, 'Voice update')
  const path = voicePath(voiceId)
  const body = parseInput(voiceUpdateSchema, update, 'Voice update')
  return sendForVoice(transport, { what: 'Voice update', method: 'PATCH', path, body, ...call })
}
