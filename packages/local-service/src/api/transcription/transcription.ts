import { recordingLimits } from '@parlando/core/audio'
import {
  defaultTranscriptionConfig,
  type TranscriptionResponse,
  transcribeRequestSchema,
  transcriptionResponseSchema,
} from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import { transcribeRecording } from '../../listening/transcribe-recording.ts'
import { joinSegments, type RecordingTranscript } from '../../listening/transcript.ts'
import { findRecogniserModel } from '../../recognisers/recogniser-registry.ts'
import { readValidBody } from '../../requests/parse-request.ts'
import { readBase64 } from '../../requests/read-base64.ts'
import { reportTranscription } from '../../server/observability/observe.ts'
import { type Endpoint, named } from '../app/endpoint.ts'

// The header of a WAV file, without samples.
const emptyWav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA='

const field = 'audioData.content'

export const transcribe: Endpoint = {
  operation: {
    method: 'post',
    path: '/stt/v1/transcribe',
    summary: 'Transcribes a recording: WAV, MP3, Ogg Opus, WebM, FLAC, or PCM as LINEAR16',
    key: 'basic',
    body: named('TranscriptionRequest', transcribeRequestSchema),
    bodyExample: {
      transcribeConfig: {
        modelId: 'pocketsphinx/en-us',
        audioEncoding: 'AUTO_DETECT',
        language: 'en-US',
        includeWordTimestamps: true,
        sentences: ['turn on the light', 'turn off the light'],
      },
      audioData: { content: emptyWav },
    },
    responses: { 'application/json': named('TranscriptionResponse', transcriptionResponseSchema) },
  },
  // The largest recording in base64, and the sentences.
  maxBodyBytes: Math.ceil((recordingLimits.maxBytes * 4) / 3) + 2 * 1024 * 1024,
  createHandler: (service) => async (context) => {
    const { transcribeConfig, audioData } = await readValidBody(context, transcribeRequestSchema)
    const found = findRecogniserModel(service, transcribeConfig)
    const { modelId } = found.model
    const progress = { modelId, seconds: 0 }
    reportTranscription(context, progress)
    const { language, prompts, sentences, includeWordTimestamps = false } = transcribeConfig
    const {
      audioEncoding,
      sampleRateHertz = defaultTranscriptionConfig.sampleRateHertz,
      numberOfChannels: channels = defaultTranscriptionConfig.numberOfChannels,
    } = transcribeConfig
    const request = {
      ...found,
      language,
      prompts,
      sentences,
      field,
      audio: readContent(audioData.content),
      pcmFormat: audioEncoding === 'LINEAR16' ? { sampleRateHertz, channels } : undefined,
      withWords: includeWordTimestamps,
      speechDetector: service.speechDetector,
      signal: context.req.raw.signal,
    }
    const transcript = await joinSegments(transcribeRecording(request, progress))
    const response: TranscriptionResponse = {
      transcription: toWire(transcript, language),
      usage: { transcribedAudioMs: Math.round(progress.seconds * 1000), modelId },
    }
    return context.json(response)
  },
}

function readContent(content: string): Buffer {
  const audio = readBase64(content)
  if ('bytes' in audio) return audio.bytes
  throw new ServiceError('INVALID_ARGUMENT', `${field}: ${audio.problem}`)
}

/** @param wanted the language of the request. */
function toWire(
  { text, words, confidence, sentenceMatch, ...heard }: RecordingTranscript,
  wanted: string | undefined,
): TranscriptionResponse['transcription'] {
  const wordTimestamps = words?.map(({ text: word, startSeconds, endSeconds, ...rest }) => ({
    word,
    startTimeMs: Math.round(startSeconds * 1000),
    endTimeMs: Math.round(endSeconds * 1000),
    ...rest,
  }))
  const language = heard.language ?? wanted
  return {
    transcript: text,
    isFinal: true,
    ...(language && { language }),
    ...(confidence !== undefined && { confidence }),
    ...(wordTimestamps && { wordTimestamps }),
    ...(sentenceMatch && {
      sentenceMatch: { ...sentenceMatch, nearest: [...sentenceMatch.nearest] },
    }),
  }
}
