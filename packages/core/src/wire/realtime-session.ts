import { z } from 'zod'
import { looseObject, strictObject } from './object-schema.ts'
import { pronunciationsSchema } from './pronunciation.ts'

// The names are those of the realtime API of OpenAI, which the service uses.

/** PCM is signed 16-bit little-endian, mono, 24 kHz. The G.711 formats are mono, 8 kHz. */
export const realtimeFormats = ['audio/pcm', 'audio/pcmu', 'audio/pcma'] as const

/** One of `realtimeFormats`. */
export type RealtimeFormat = (typeof realtimeFormats)[number]

const formatSchema = strictObject({
  type: z.enum(realtimeFormats),
  /** 8,000 for µ-law and A-law. For PCM, 24,000 by default; the local service has all rates of PCM. */
  rate: z.int().optional(),
})

/** What a response contains: speech with its transcript, or only text. It can also contain tool calls. */
const realtimeModalities = ['audio', 'text'] as const

const detectionSettings = {
  /** Requests a response at the end of a turn. Default true. */
  create_response: z.boolean().nullish(),
  /** Cancels the response when the user begins to speak. Default true. */
  interrupt_response: z.boolean().nullish(),
}

/** When a turn of the user ends: after a silence, or when the sentence sounds finished. */
export const realtimeTurnDetectionSchema = z.discriminatedUnion('type', [
  strictObject({
    type: z.literal('server_vad'),
    ...detectionSettings,
    /** How certain voice activity detection must be, 0 to 1. Default 0.5. */
    threshold: z.number().min(0).max(1).nullish(),
    /** The audio before the detected start that belongs to the turn, in milliseconds. Default 300. */
    prefix_padding_ms: z.int().min(0).max(5000).nullish(),
    /** The silence that ends a turn, in milliseconds. Default 500. */
    silence_duration_ms: z.int().min(0).max(10_000).nullish(),
    /** A response without input after this silence, in milliseconds. Default: none. */
    idle_timeout_ms: z.int().min(5000).max(30_000).nullish(),
  }),
  strictObject({
    type: z.literal('semantic_vad'),
    ...detectionSettings,
    /** How soon a turn ends. Default `auto`, which is `medium`. */
    eagerness: z.enum(['low', 'medium', 'high', 'auto']).nullish(),
    threshold: z.number().min(0).max(1).nullish(),
  }),
])

/** When a turn of the user ends. */
export type RealtimeTurnDetection = z.infer<typeof realtimeTurnDetectionSchema>

/** A function that the model can call. */
export const realtimeToolSchema = strictObject({
  type: z.literal('function'),
  name: z.string().min(1, 'must not be empty').max(64),
  description: z.string().optional(),
  /** JSON schema of the arguments, an object. */
  parameters: z.record(z.string(), z.unknown()).optional(),
})

/** A function that the model can call. */
export type RealtimeTool = z.infer<typeof realtimeToolSchema>

const toolChoiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  strictObject({ type: z.literal('function'), name: z.string().min(1) }),
])

const maxTokensSchema = z.union([z.int().min(1).max(4096), z.literal('inf')])

const outputSchema = strictObject({
  format: formatSchema.optional(),
  /** A synthesis model; the OpenAI API has no such field. */
  model: z.string().min(1).optional(),
  /** A voice id. It cannot change after the first response with audio. */
  voice: z.union([z.string().min(1), strictObject({ id: z.string().min(1) })]).optional(),
  /** Speed factor. Default 1. */
  speed: z.number().min(0.25).max(1.5).optional(),
})

/** The settings of a session. In an update, absent fields keep their value and `null` switches a feature off. */
export const realtimeSessionSchema = strictObject({
  /** `transcription`: the service only transcribes. The address of the socket decides it. Default `realtime`. */
  type: z.enum(['realtime', 'transcription']).optional(),
  /** The language model. Only the first update can set it. */
  model: z.string().min(1, 'must not be empty').optional(),
  /** The system prompt. */
  instructions: z.string().optional(),
  output_modalities: z.array(z.enum(realtimeModalities)).min(1).max(2).optional(),
  audio: strictObject({
    input: strictObject({
      format: formatSchema.optional(),
      noise_reduction: looseObject({ type: z.string() }).nullish(),
      /** The transcription of the user's speech. `null`: no transcripts. */
      transcription: strictObject({
        model: z.string().min(1).optional(),
        /** BCP-47. */
        language: z.string().min(1).optional(),
        /** Languages that may occur. Only a single one has an effect. */
        languages: z.array(z.string().min(1)).optional(),
        prompt: z.string().optional(),
        /** Words that may occur. */
        keywords: z.array(z.string()).optional(),
        /** How long a model waits before it transcribes. Without effect. */
        delay: z.string().optional(),
      }).nullish(),
      /** `null`: the client ends each turn with `input_audio_buffer.commit`. */
      turn_detection: realtimeTurnDetectionSchema.nullish(),
    }).optional(),
    output: outputSchema.optional(),
  }).optional(),
  tools: z.array(realtimeToolSchema).optional(),
  tool_choice: toolChoiceSchema.optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_output_tokens: maxTokensSchema.optional(),
  parallel_tool_calls: z.boolean().optional(),
  truncation: z.unknown().optional(),
  tracing: z.unknown().optional(),
  include: z.array(z.string()).nullish(),
  prompt: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  /** Settings of one service, which others ignore. */
  providerData: looseObject({
    /** How words of the responses are said; the transcripts keep them. For the local service. */
    pronunciations: pronunciationsSchema.optional(),
  }).optional(),
})

/** The settings of a session. */
export type RealtimeSession = z.infer<typeof realtimeSessionSchema>

/** The settings of one response, which override those of the session. */
export const realtimeResponseSettingsSchema = strictObject({
  instructions: z.string().optional(),
  output_modalities: z.array(z.enum(realtimeModalities)).min(1).max(2).optional(),
  audio: strictObject({ output: outputSchema.optional() }).optional(),
  tools: z.array(realtimeToolSchema).optional(),
  tool_choice: toolChoiceSchema.optional(),
  max_output_tokens: maxTokensSchema.optional(),
  parallel_tool_calls: z.boolean().optional(),
  /** `none`: the response does not become part of the conversation. Default `auto`. */
  conversation: z.string().optional(),
  /** The items to respond to. Default: the conversation. */
  input: z.array(z.unknown()).optional(),
  /** The service returns it unchanged with the response. */
  metadata: z.record(z.string(), z.string()).nullish(),
  prompt: z.unknown().optional(),
  reasoning: z.unknown().optional(),
})

/** The settings of one response. */
export type RealtimeResponseSettings = z.infer<typeof realtimeResponseSettingsSchema>
