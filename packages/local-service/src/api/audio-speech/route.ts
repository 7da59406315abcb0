import { encodings } from '@parlando/core/audio'
import {
  type AudioEncoding,
  openAiSpeechRequestSchema,
  type SpeechFormat,
  type SpeechRequest,
} from '@parlando/core/wire'
import { withChunkHeader } from '../../encoding/wav-headers.ts'
import { ServiceError } from '../../errors.ts'
import { parseRequest } from '../../http/parse-request.ts'
import { readJsonBody } from '../../http/read-json.ts'
import { streamResponse } from '../../http/stream-response.ts'
import { createSynthesisRequest, type SynthesisRequest } from '../../speech/synthesis-request.ts'
import type { AudioChunk } from '../../speech/synthesize.ts'
import type { ApiContext, Endpoint } from '../endpoint.ts'
import { speak } from '../speech/speak.ts'
import { audioSpeechOperation } from './operation.ts'

const maxTextCharacters = 4_000
// The sample rate of the OpenAI API. Its clients expect this rate for PCM, which has no header.
const sampleRateHertz = 24_000

const encodingOf: Readonly<Partial<Record<SpeechFormat, AudioEncoding>>> = {
  mp3: 'MP3',
  opus: 'OGG_OPUS',
  flac: 'FLAC',
  wav: 'WAV',
  pcm: 'PCM',
}

export const audioSpeech: Endpoint = {
  operation: audioSpeechOperation,
  maxBodyBytes: 1024 * 1024,
  createHandler: (service) => async (context) => {
    const request = readRequest(await readJsonBody(context), service)
    return streamResponse(context, {
      contentType: encodings[request.layout.audioEncoding].mediaType,
      createChunks: (signal) => toBytes(request, speak(context, request, signal)),
      createErrorChunk(error) {
        service.onFailure(error)
        // Raw audio has no place for an error.
        return undefined
      },
    })
  },
}

function readRequest(body: unknown, service: ApiContext): SynthesisRequest {
  const request = parseRequest(openAiSpeechRequestSchema, body)
  const { input, response_format: format = 'mp3', speed, instructions } = request
  const audioEncoding = encodingOf[format]
  if (!audioEncoding) {
    const supported = Object.keys(encodingOf).join(', ')
    const message = `response_format: this service does not support ${format}; it supports ${supported}`
    throw new ServiceError('UNIMPLEMENTED', message)
  }
  if (instructions?.trim()) {
    const message =
      'instructions: the voices of this device do not support style instructions; leave it out, or use speed'
    throw new ServiceError('UNIMPLEMENTED', message)
  }
  const speech: SpeechRequest = {
    text: input,
    voiceId: request.voice,
    modelId: request.model,
    audioConfig: { audioEncoding, sampleRateHertz, speakingRate: speed },
  }
  return createSynthesisRequest(speech, service, { maxTextCharacters, textField: 'input' })
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
