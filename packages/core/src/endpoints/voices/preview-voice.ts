import { readSampleFormat } from '../../audio/voice-sample.ts'
import { ProtocolError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type VoicePreviewRequest,
  voicePreviewRequestSchema,
  voicePreviewSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'

const what = 'Voice preview'

/** A few words in a voice. */
export interface VoicePreview {
  /** A complete file of `mediaType`. */
  audio: Uint8Array
  /** `audio/mpeg` as documented, or `audio/wav` when the bytes are that. */
  mediaType: string
  requestId: string
}

/** `GET /tts/v1/voice:preview`: a few words in this voice, which cost nothing. */
export async function previewVoice(
  { transport }: EndpointContext,
  request: VoicePreviewRequest,
  call: Call,
): Promise<VoicePreview> {
  const { voiceId, modelId } = parseInput(voicePreviewRequestSchema, request, `${what} request`)
  const response = await transport.sendForJson(
    {
      what,
      method: 'GET',
      path: '/tts/v1/voice:preview',
      query: { voice_id: voiceId, model_id: modelId },
    },
    call,
  )
  const { audioContent } = parseResponse(voicePreviewSchema, response, what)
  const audio = Buffer.from(audioContent ?? '', 'base64')
  if (audio.length === 0) {
    throw new ProtocolError(`${what} failed: the answer holds no audio`, {
      code: 'NO_AUDIO',
      requestId: response.requestId,
    })
  }
  const mediaType = readSampleFormat(audio) === 'WAV' ? 'audio/wav' : 'audio/mpeg'
  return { audio, mediaType, requestId: response.requestId }
}
