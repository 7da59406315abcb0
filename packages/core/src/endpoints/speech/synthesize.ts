import { isPcm16 } from '../../audio/encodings.ts'
import { correctWavLength, readWavHeader } from '../../audio/wav.ts'
import { ProtocolError } from '../../errors.ts'
import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { type SpeechRequest, speechResultSchema } from '../../wire/speech.ts'
import type { EndpointContext } from '../context.ts'
import { type AudioFormat, cutRequest, parseSpeechRequest, requestedFormat } from './request.ts'
import type { SpeechStream } from './stream.ts'
import { streamPieces } from './synthesize-stream.ts'
import { readTimestamps, type Timestamps } from './timestamps.ts'
import { readUsage, type Usage } from './usage.ts'

/** One utterance, whole. */
export interface Speech extends AudioFormat {
  /** A complete file of `mediaType`; for PCM the bare samples, 16-bit little-endian. */
  audio: Uint8Array
  usage: Usage | undefined
  /** Where the request asked for them. */
  timestamps: Timestamps | undefined
  requestId: string
}

/** `POST /tts/v1/voice`: speaks one utterance and waits for all of it. */
export async function synthesize(
  context: EndpointContext,
  request: SpeechRequest,
  call: Call,
): Promise<Speech> {
  const { transport, options } = context
  const pieces = cutRequest(parseSpeechRequest(request), options)
  if (pieces.length > 1) {
    return collectSpeech(streamPieces(context, pieces, call), options.maxResponseBytes)
  }
  const body = pieces[0]!
  const response = await transport.sendForJson(
    {
      what: 'Speech',
      method: 'POST',
      path: '/tts/v1/voice',
      body: { json: body },
    },
    call,
  )
  const { requestId } = response
  const result = parseResponse(speechResultSchema, response, 'Speech')
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

/** A text that is longer than the service takes is streamed in pieces and put together here. */
async function collectSpeech(stream: SpeechStream, maxResponseBytes: number): Promise<Speech> {
  const chunks: Uint8Array[] = []
  const timestamps: Timestamps = { words: [], characters: [] }
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.audio.length
    if (sizeBytes > maxResponseBytes) {
      const message = `Speech failed: the audio is larger than the limit of ${maxResponseBytes} bytes`
      throw new ProtocolError(message, { code: 'RESPONSE_TOO_LARGE', requestId: stream.requestId })
    }
    chunks.push(chunk.audio)
    timestamps.words.push(...(chunk.timestamps?.words ?? []))
    timestamps.characters.push(...(chunk.timestamps?.characters ?? []))
  }
  const { encoding, mediaType, sampleRateHertz, usage, requestId = '' } = stream
  const hasTimes = timestamps.words.length + timestamps.characters.length > 0
  return {
    audio: correctWavLength(Buffer.concat(chunks)),
    encoding,
    mediaType,
    sampleRateHertz,
    usage,
    timestamps: hasTimes ? timestamps : undefined,
    requestId,
  }
}

function wholeAudio(audio: Uint8Array, format: AudioFormat): AudioFormat & { audio: Uint8Array } {
  const header = isPcm16(format.encoding) ? readWavHeader(audio) : undefined
  if (!header) return { ...format, audio }
  const isBare = format.encoding === 'PCM'
  return {
    ...format,
    sampleRateHertz: header.sampleRateHertz ?? format.sampleRateHertz,
    audio: isBare ? audio.subarray(header.dataOffset) : audio,
  }
}
