import { encodings } from '@parlando/core/audio'
import {
  type AudioEncoding,
  type SpeechFormat,
  speechBytesRequestSchema,
} from '@parlando/core/wire'
import type { Hono } from 'hono'
import { withChunkHeader } from '../../encoding/wav-headers.ts'
import { ServiceError } from '../../errors.ts'
import { parseRequest } from '../../http/parse-request.ts'
import { limitBody, readJsonBody } from '../../http/read-json.ts'
import { streamResponse } from '../../http/stream-response.ts'
import { readSynthesisRequest, type SynthesisRequest } from '../../speech/synthesis-request.ts'
import type { AudioChunk } from '../../speech/synthesize.ts'
import type { SpeechRouteOptions } from '../speech/route.ts'
import { speak } from '../speech/speak.ts'

const maxBodyBytes = 1024 * 1024
const maxInputCharacters = 4_000
// What the OpenAI API's own voices have, and the one rate that bare PCM can be known to have there.
const sampleRateHertz = 24_000

const encodingOf: Readonly<Partial<Record<SpeechFormat, AudioEncoding>>> = {
  mp3: 'MP3',
  opus: 'OGG_OPUS',
  flac: 'FLAC',
  wav: 'WAV',
  pcm: 'PCM',
}

/** `POST /v1/audio/speech`, the OpenAI form: the bytes of one file of audio as they are made. */
export function addAudioSpeechRoute(app: Hono, options: SpeechRouteOptions): void {
  app.post('/v1/audio/speech', limitBody(maxBodyBytes), async (context) => {
    const request = readOrder(await readJsonBody(context), options)
    return streamResponse(context, {
      contentType: encodings[request.layout.audioEncoding].mediaType,
      makePieces: (left) => toBytes(request, speak(context, request, left)),
      lastWords(error) {
        options.onFailure(error)
        // Bare bytes have no place for an error.
        return undefined
      },
    })
  })
}

function readOrder(body: unknown, options: SpeechRouteOptions): SynthesisRequest {
  const request = parseRequest(speechBytesRequestSchema, body)
  const { input, response_format: format = 'mp3', speed, instructions } = request
  if (input.length > maxInputCharacters) {
    const message = `input: ${input.length} characters are more than the ${maxInputCharacters} this call takes`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const audioEncoding = encodingOf[format]
  if (!audioEncoding) {
    const made = Object.keys(encodingOf).join(', ')
    const message = `response_format ${format} is not made by this service; it makes ${made}`
    throw new ServiceError('UNIMPLEMENTED', message)
  }
  if (instructions?.trim()) {
    const message =
      'instructions: the voices of this device cannot follow a note on style; leave it out, or use speed'
    throw new ServiceError('UNIMPLEMENTED', message)
  }
  const speech = {
    text: input,
    voiceId: request.voice,
    modelId: request.model,
    audioConfig: { audioEncoding, sampleRateHertz, speakingRate: speed },
  }
  try {
    return readSynthesisRequest(speech, options, maxInputCharacters)
  } catch (error) {
    throw error instanceof ServiceError ? inNamesOfThisForm(error) : error
  }
}

/** What has passed this form's own rules can only be refused for its text, its voice or its model. */
function inNamesOfThisForm({ code, message, httpStatus }: ServiceError): ServiceError {
  return new ServiceError(code, message.replace(/^text:/, 'input:'), httpStatus)
}

async function* toBytes(
  request: SynthesisRequest,
  chunks: AsyncIterable<AudioChunk>,
): AsyncGenerator<Uint8Array, void> {
  let index = 0
  for await (const { audio } of chunks) {
    yield withChunkHeader(request.layout, audio, index++)
  }
}
