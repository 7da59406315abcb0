import { isPcm16 } from '../../audio/encodings.ts'
import { readWavHeader } from '../../audio/wav.ts'
import type { Call } from '../../http/client-options.ts'
import { noAudio } from '../../protocol-errors.ts'
import { speechResultSchema, speechWarningsHeader } from '../../wire/speech.ts'
import { readAudio } from '../base64-audio.ts'
import type { EndpointContext } from '../response-source.ts'
import { parseUtterance, type SpeechInput } from './speech-input.ts'
import { readUsage, readWarnings } from './speech-report.ts'
import type { SpeechResult } from './speech-result.ts'
import { streamUtterance } from './synthesize-stream.ts'
import { readTimestamps } from './timestamps.ts'
import type { AudioFormat } from './utterance-audio.ts'

/**
 * `POST /tts/v1/voice`: synthesizes an utterance and returns it whole. A text that is too long for one request is
 * streamed in pieces instead.
 */
export async function synthesize(
  context: EndpointContext,
  request: SpeechInput,
  call: Call,
): Promise<SpeechResult> {
  const utterance = parseUtterance(request, context)
  const { pieces, isSplit, format, words } = utterance
  if (isSplit) return streamUtterance(context, utterance, call).collect()
  const [body] = pieces
  const response = await context.transport.sendForJson(
    speechResultSchema,
    { method: 'POST', path: '/tts/v1/voice', body: { json: body } },
    call,
  )
  const { data: result, requestId } = response
  const audio = readAudio(response, result.audioContent)
  if (audio.length === 0) throw noAudio(response)
  const timestamps = readTimestamps(result.timestampInfo)
  return {
    ...wholeAudio(audio, format),
    usage: readUsage(result.usage),
    timestamps: timestamps && words ? words.restoreAll(timestamps) : timestamps,
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
