import { readSampleFormat } from '../../audio/voice-sample.ts'
import { ProtocolError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type VoiceDesignRequest,
  voiceDesignRequestSchema,
  voiceDesignResponseSchema,
} from '../../wire/voices.ts'
import type { EndpointContext } from '../context.ts'

const what = 'Voice design'

/** Making up voices takes long; the documented client of the service waits as much. */
const firstByteTimeoutMs = 120_000

/** A voice to choose; it vanishes unless `publishVoice` keeps it. */
export interface DesignedVoice {
  voiceId: string
  /** What `audio` says. */
  previewText: string | undefined
  /** A complete file of `mediaType`; empty when the service sent none. */
  audio: Uint8Array
  /** `audio/wav` as documented, or `audio/mpeg` when the bytes are that. */
  mediaType: string
}

/** Voices made from a description. */
export interface VoiceDesign {
  langCode: string | undefined
  /** One or more. */
  previewVoices: DesignedVoice[]
  requestId: string
}

/** `POST /voices/v1/voices:design`: makes up voices from a description. */
export async function designVoice(
  { transport }: EndpointContext,
  request: VoiceDesignRequest,
  call: Call,
): Promise<VoiceDesign> {
  const body = parseInput(voiceDesignRequestSchema, request, `${what} request`)
  const response = await transport.sendForJson(
    {
      what,
      method: 'POST',
      path: '/voices/v1/voices:design',
      body: { json: body },
      firstByteTimeoutMs,
    },
    call,
  )
  const { langCode, previewVoices } = parseResponse(voiceDesignResponseSchema, response, what)
  if (!previewVoices?.length) {
    throw new ProtocolError(`${what} failed: the answer holds no voices`, {
      code: 'BAD_RESPONSE',
      requestId: response.requestId,
    })
  }
  const voices = previewVoices.map(({ voiceId, previewText, previewAudio }) => {
    const audio = Buffer.from(previewAudio ?? '', 'base64')
    const mediaType = readSampleFormat(audio) === 'MP3' ? 'audio/mpeg' : 'audio/wav'
    return { voiceId, previewText: previewText ?? undefined, audio, mediaType }
  })
  return {
    langCode: langCode ?? undefined,
    previewVoices: voices,
    requestId: response.requestId,
  }
}
