import { encodings, isPcm16 } from '../audio/encodings.ts'
import { readWavHeader } from '../audio/wav.ts'
import { ProtocolError } from '../errors.ts'
import { parseAnswer } from '../parse-answer.ts'
import { parseInput } from '../parse-input.ts'
import type { Transport } from '../transport.ts'
import { type AudioEncoding, defaultAudioConfig } from '../wire/audio-config.ts'
import { type SpeechRequest, speechRequestSchema, speechResultSchema } from '../wire/speech.ts'
import { readTimestamps, type Timestamps } from './timestamps.ts'
import { readUsage, type Usage } from './usage.ts'

/** How the audio is laid out: mono in every encoding. */
export interface AudioFormat {
  encoding: AudioEncoding
  mediaType: string
  sampleRateHertz: number
}

export interface Speech extends AudioFormat {
  /** A complete file of `mediaType`; for PCM the bare samples, 16-bit little-endian. */
  audio: Uint8Array
  usage: Usage | undefined
  /** Where the request asked for them. */
  timestamps: Timestamps | undefined
  requestId: string
}

/** @throws {InputError} before any I/O, when a field is missing, misspelt or out of range. */
export function parseSpeechRequest(request: SpeechRequest): SpeechRequest {
  return parseInput(speechRequestSchema, request, 'Speech request')
}

export function requestedFormat(request: SpeechRequest): AudioFormat {
  const { audioEncoding, sampleRateHertz } = { ...defaultAudioConfig, ...request.audioConfig }
  return { encoding: audioEncoding, mediaType: encodings[audioEncoding].mediaType, sampleRateHertz }
}

/** `POST /tts/v1/voice`: speaks one utterance and waits for all of it. */
export async function synthesize(
  transport: Transport,
  request: SpeechRequest,
  signal?: AbortSignal,
): Promise<Speech> {
  const body = parseSpeechRequest(request)
  const answer = await transport.sendForJson({
    what: 'Speech',
    method: 'POST',
    path: '/tts/v1/voice',
    body,
    signal,
  })
  const { requestId } = answer
  const result = parseAnswer(speechResultSchema, answer, 'Speech')
  const audio = Buffer.from(result.audioContent ?? '', 'base64')
  if (audio.length === 0) {
    throw new ProtocolError('Speech failed: the answer holds no audio', {
      code: 'NO_AUDIO',
      requestId,
    })
  }
  return {
    ...wholeAudio(audio, requestedFormat(body)),
    usage: readUsage(result.usage),
    timestamps: readTimestamps(result.timestampInfo),
    requestId,
  }
}

function wholeAudio(audio: Uint8Array, format: AudioFormat): AudioFormat & { audio: Uint8Array } {
  const header = isPcm16(format.encoding) ? readWavHeader(audio) : undefined
  if (!header) return { ...format, audio }
  const isBare = format.encoding === 'PCM'
  return {
    ...format,
    sampleRateHertz: header.sampleRateHertz,
    audio: isBare ? audio.subarray(header.dataOffset) : audio,
  }
}
