import { isPcm16 } from '../../audio/encodings.ts'
import { readWavHeader } from '../../audio/wav.ts'
import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { noAudio } from '../../protocol-errors.ts'
import { speechResultSchema, speechWarningsHeader } from '../../wire/speech.ts'
import type { EndpointContext } from '../context.ts'
import { readAudio } from '../read-audio.ts'
import { type AudioFormat, parseUtterance, type SpeechInput } from './request.ts'
import type { SpeechResult } from './result.ts'
import { streamUtterance } from './synthesize-stream.ts'
import { readTimestamps } from './timestamps.ts'
import { readUsage } from './usage.ts'
import { readWarnings } from './warnings.ts'

/**
 * `POST /tts/v1/voice`: synthesizes an utterance and returns it whole. A text that is too long for one request is
 * streamed in pieces instead.
 */
export async function synthesize(
  context: EndpointContext,
  request: SpeechInput,
  call: Call,
): Promise<SpeechResult> {
  const utterance = parseUtterance(request, context.options)
  const { pieces, isSplit, format } = utterance
  if (isSplit) return streamUtterance(context, utterance, call).collect()
  const [body] = pieces
  const path = '/tts/v1/voice'
  const response = await context.transport.sendForJson(
    { what: 'Speech', method: 'POST', path, body: { json: body } },
    call,
  )
  const { requestId } = response
  const result = parseResponse(speechResultSchema, response)
  const audio = readAudio(response, result.audioContent)
  if (audio.length === 0) throw noAudio(response)
  return {
    ...wholeAudio(audio, format),
    usage: readUsage(result.usage),
    timestamps: readTimestamps(result.timestampInfo),
    warnings: readWarnings(response.header(speechWarningsHeader)),
    requestId,
  }
}

/** The audio with the sample rate of its WAV header, if it has one. PCM loses the header. */
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
