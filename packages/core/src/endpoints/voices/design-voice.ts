import { readSampleFormat } from '../../audio/voice-sample.ts'
import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type VoiceDesignRequest,
  voiceDesignRequestSchema,
  voiceDesignResponseSchema,
} from '../../wire/voices.ts'
import { readAudio } from '../base64-audio.ts'
import type { EndpointContext } from '../response-source.ts'

/** Designing voices takes long; the service's own client waits as long, according to its documentation. */
const firstByteTimeoutMs = 120_000

/** A voice to choose from; the service deletes it unless `publishVoice` keeps it. */
export interface DesignedVoice {
  voiceId: string
  /** The text that is spoken in `audio`. */
  previewText: string | undefined
  /** A complete file of `mediaType`; empty if the service sent none. */
  audio: Uint8Array
  /** `audio/wav` as documented, or `audio/mpeg` if the bytes are an MP3 file. */
  mediaType: string
}

/** Voices made from a description. */
export interface VoiceDesign {
  langCode: string | undefined
  /** One or more. */
  previewVoices: DesignedVoice[]
  requestId: string
}

/** `POST /voices/v1/voices:design`: designs voices from a description. */
export async function designVoice(
  { transport }: EndpointContext,
  request: VoiceDesignRequest,
  call: Call,
): Promise<VoiceDesign> {
  const body = parseInput(voiceDesignRequestSchema, request, 'Voice design request')
  const path = '/voices/v1/voices:design'
  const response = await transport.sendForJson(
    voiceDesignResponseSchema,
    { method: 'POST', path, body: { json: body }, firstByteTimeoutMs },
    call,
  )
  const { langCode, previewVoices } = response.data
  if (!previewVoices?.length) throw response.bad('the response contains no voices')
  const voices = previewVoices.map(({ voiceId, previewText, previewAudio }) => {
    const audio = readAudio(response, previewAudio)
    const mediaType = readSampleFormat(audio) === 'MP3' ? 'audio/mpeg' : 'audio/wav'
    return { voiceId, previewText: previewText ?? undefined, audio, mediaType }
  })
  return {
    langCode: langCode ?? undefined,
    previewVoices: voices,
    requestId: response.requestId,
  }
}
