import { readSampleFormat } from '../../audio/voice-sample.ts'
import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { parseInput } from '../../parse-input.ts'
import { noAudio } from '../../protocol-errors.ts'
import {
  type VoicePreviewRequest,
  voicePreviewRequestSchema,
  voicePreviewSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'
import { modelIdSchema, type WithDefaultModel } from '../model-id.ts'
import { readAudio } from '../read-audio.ts'

const what = 'Voice preview'

const previewInputSchema = voicePreviewRequestSchema.extend({ modelId: modelIdSchema })

/** The voice of a preview, and the model that speaks it. */
export type VoicePreviewInput = WithDefaultModel<VoicePreviewRequest>

/** A short sample of a voice. */
export interface VoicePreview {
  /** A complete file of `mediaType`. */
  audio: Uint8Array
  /** `audio/mpeg` as documented, or `audio/wav` if the bytes are a WAV file. */
  mediaType: string
  requestId: string
}

/** `GET /tts/v1/voice:preview`: a short sample of this voice, free of charge. */
export async function previewVoice(
  { transport }: EndpointContext,
  request: VoicePreviewInput,
  call: Call,
): Promise<VoicePreview> {
  const { voiceId, modelId } = parseInput(previewInputSchema, request, `${what} request`)
  const response = await transport.sendForJson(
    {
      what,
      method: 'GET',
      path: '/tts/v1/voice:preview',
      query: { voice_id: voiceId, model_id: modelId },
    },
    call,
  )
  const { audioContent } = parseResponse(voicePreviewSchema, response)
  const audio = readAudio(response, audioContent)
  if (audio.length === 0) throw noAudio(response)
  const mediaType = readSampleFormat(audio) === 'WAV' ? 'audio/wav' : 'audio/mpeg'
  return { audio, mediaType, requestId: response.requestId }
}
