import { readSampleFormat } from '../../audio/voice-sample.ts'
import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import { noAudio } from '../../protocol-errors.ts'
import {
  type VoicePreviewRequest,
  voicePreviewRequestSchema,
  voicePreviewSchema,
} from '../../wire/voices.ts'
import { readAudio } from '../base64-audio.ts'
import type { EndpointContext } from '../response-source.ts'
import { modelIdSchema, type WithDefaultModel } from '../speech/speech-input.ts'

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
  input: VoicePreviewInput,
  call: Call,
): Promise<VoicePreview> {
  const { voiceId, modelId } = parseInput(previewInputSchema, input, 'Voice preview request')
  const path = '/tts/v1/voice:preview'
  const query = { voice_id: voiceId, model_id: modelId }
  const request = { method: 'GET', path, query } as const
  const response = await transport.sendForJson(voicePreviewSchema, request, call)
  const audio = readAudio(response, response.data.audioContent)
  if (audio.length === 0) throw noAudio(response)
  const mediaType = readSampleFormat(audio) === 'WAV' ? 'audio/wav' : 'audio/mpeg'
  return { audio, mediaType, requestId: response.requestId }
}
