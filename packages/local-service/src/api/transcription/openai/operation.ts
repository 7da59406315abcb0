import { z } from 'zod'
import { named, type Operation } from '../../operation.ts'

const responseFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const

/** The fields of the form, as programs for the OpenAI API send them. The file has its own check. */
export const transcriptionFormSchema = z.strictObject({
  model: z.string().min(1, 'must not be empty'),
  /** Such as `en`. Default: that of the model, or detected. */
  language: z.string().min(1, 'must not be empty').optional(),
  /** Words and names that may occur. */
  prompt: z.string().optional(),
  /** Default `json`. */
  response_format: z.enum(responseFormats).optional(),
  /** For `verbose_json`. Default `segment`. */
  timestamp_granularities: z.array(z.enum(['word', 'segment'])).optional(),
  /** Whether to send the text of each turn as an event. Default false. */
  stream: z.enum(['true', 'false']).optional(),
  /** Has no effect. */
  temperature: z.string().optional(),
})

const usage = z.object({ type: z.literal('duration'), seconds: z.number() })
const transcription = z.object({ text: z.string(), usage: usage.optional() })
const segment = z.object({
  id: z.int(),
  seek: z.int(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  tokens: z.array(z.int()),
  temperature: z.number(),
  avg_logprob: z.number(),
  compression_ratio: z.number(),
  no_speech_prob: z.number(),
})
const word = z.object({ word: z.string(), start: z.number(), end: z.number() })
const verboseTranscription = transcription.extend({
  task: z.literal('transcribe'),
  language: z.string(),
  duration: z.number(),
  segments: z.array(segment).optional(),
  words: z.array(word).optional(),
})

export const audioTranscriptionOperation: Operation = {
  method: 'post',
  path: '/v1/audio/transcriptions',
  summary: 'Transcribes a recording; request and response have the format of the OpenAI API',
  key: 'basic or bearer',
  form: named(
    'TranscriptionForm',
    transcriptionFormSchema.extend({ file: z.string().meta({ format: 'binary' }) }),
  ),
  responses: {
    'application/json': named('AudioTranscription', z.union([transcription, verboseTranscription])),
    'text/plain': 'text',
    'text/vtt': 'text',
    'text/event-stream': 'text',
  },
}
