import type { Call } from '../../http/call.ts'
import { parseInput } from '../../parse-input.ts'
import { type Voice, type VoicePublication, voicePublicationSchema } from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'
import { sendForVoice, voiceChoiceSchema, voicePath } from './get-voice.ts'

/** Which designed voice to keep, and what to say about it. */
export type VoicePublicationRequest = VoicePublication & { voiceId: string }

/** `POST /voices/v1/voices/{voiceId}:publish`: keeps a designed voice, which would otherwise vanish. */
export async function publishVoice(
  context: EndpointContext,
  request: VoicePublicationRequest,
  call: Call,
): Promise<Voice> {
  const { voiceId, ...publication } = parseInput(voiceChoiceSchema, request, 'Voice publication')
  const path = `${voicePath(voiceId)}:publish`
  const body = parseInput(voicePublicationSchema, publication, 'Voice publication')
  return sendForVoice(
    context,
    { what: 'Voice publication', method: 'POST', path, body: { json: body } },
    call,
  )
}
