import { z } from 'zod'
import { looseObject } from './object-schema.ts'
import { realtimeItemSchema } from './realtime-item.ts'

const text = z.string().nullish()
const count = z.number().nullish()

/** The usage of a response, in tokens. */
const realtimeUsageSchema = looseObject({
  total_tokens: count,
  input_tokens: count,
  output_tokens: count,
})

/** A response of the model. */
export const realtimeResponseSchema = looseObject({
  id: z.string(),
  object: text,
  /** `in_progress`, `completed`, `cancelled`, `failed` or `incomplete`. */
  status: text,
  /** Why the response ended. */
  status_details: looseObject({
    type: text,
    /** Such as `turn_detected` or `client_cancelled`. */
    reason: text,
    error: looseObject({ type: text, code: text, message: text }).nullish(),
  }).nullish(),
  output: z.array(realtimeItemSchema).nullish(),
  // Malformed metadata must not lose the response.
  usage: realtimeUsageSchema.nullish().catch(undefined),
  metadata: looseObject({}).nullish().catch(undefined),
})

/** A response of the model. */
export type RealtimeResponse = z.infer<typeof realtimeResponseSchema>

const event = <Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) =>
  looseObject({ type: z.literal(type), event_id: text, ...shape })

const item = { item_id: z.string() }
const newItem = { item: realtimeItemSchema, previous_item_id: text }
const itemContent = { ...item, content_index: z.number() }
const outputItem = { response_id: z.string(), output_index: z.number(), item: realtimeItemSchema }
const output = { response_id: z.string(), output_index: z.number(), ...item }
const outputContent = { ...output, content_index: z.number() }
/** `type` is `audio` or `text`. */
const contentPart = { ...outputContent, part: looseObject({ type: z.string() }) }
/** A session that only transcribes has no `model`. */
const session = { session: looseObject({ id: text, model: text.optional() }) }

/** The events of the service on the socket `/v1/realtime` that this version knows. A service may send others. */
export const realtimeServerEventSchema = z.discriminatedUnion('type', [
  /** The first event: the defaults of the service. */
  event('session.created', session),
  /** All settings after an update. */
  event('session.updated', session),
  /** The user has begun to speak. The time is that of the sent audio. */
  event('input_audio_buffer.speech_started', { ...item, audio_start_ms: z.number() }),
  event('input_audio_buffer.speech_stopped', { ...item, audio_end_ms: z.number() }),
  /** The turn of the user has become an item of the conversation. */
  event('input_audio_buffer.committed', { ...item, previous_item_id: text }),
  event('input_audio_buffer.cleared', {}),
  event('input_audio_buffer.timeout_triggered', {
    ...item,
    audio_start_ms: z.number(),
    audio_end_ms: z.number(),
  }),
  event('conversation.item.added', newItem),
  event('conversation.item.done', newItem),
  event('conversation.item.retrieved', { item: realtimeItemSchema }),
  event('conversation.item.truncated', { ...itemContent, audio_end_ms: z.number() }),
  event('conversation.item.deleted', item),
  event('conversation.item.input_audio_transcription.delta', {
    ...item,
    content_index: count,
    delta: text,
  }),
  /** The transcript of the user's turn. */
  event('conversation.item.input_audio_transcription.completed', {
    ...itemContent,
    transcript: z.string(),
    /** The language that was spoken, such as `de`, if the recogniser reports it. An extension of the local service. */
    language: text,
    usage: looseObject({ type: text }).nullish().catch(undefined),
  }),
  event('conversation.item.input_audio_transcription.failed', {
    ...itemContent,
    error: looseObject({ type: text, code: text, message: text, param: text }),
  }),
  event('response.created', { response: realtimeResponseSchema }),
  event('response.output_item.added', outputItem),
  event('response.output_item.done', outputItem),
  event('response.content_part.added', contentPart),
  event('response.content_part.done', contentPart),
  event('response.output_text.delta', { ...outputContent, delta: z.string() }),
  event('response.output_text.done', { ...outputContent, text: z.string() }),
  /** `delta` is base64 in the output format of the session. */
  event('response.output_audio.delta', { ...outputContent, delta: z.string() }),
  event('response.output_audio.done', outputContent),
  event('response.output_audio_transcript.delta', { ...outputContent, delta: z.string() }),
  event('response.output_audio_transcript.done', { ...outputContent, transcript: z.string() }),
  event('response.function_call_arguments.delta', {
    ...output,
    call_id: z.string(),
    delta: z.string(),
  }),
  event('response.function_call_arguments.done', {
    ...output,
    call_id: z.string(),
    name: text,
    /** JSON text. */
    arguments: z.string(),
  }),
  /** The last event of a response. */
  event('response.done', { response: realtimeResponseSchema }),
  // Only in calls over WebRTC, in which the service plays the sound.
  event('output_audio_buffer.started', { response_id: z.string() }),
  /** The client has got all sound of the response. */
  event('output_audio_buffer.stopped', { response_id: z.string() }),
  /** The rest of the sound was dropped. */
  event('output_audio_buffer.cleared', { response_id: z.string() }),
  event('rate_limits.updated', {}),
  event('error', {
    error: looseObject({
      type: text,
      code: text,
      message: text,
      param: text,
      /** The event of the client that caused the error. */
      event_id: text,
    }),
  }),
])

/** An event of the service. */
export type RealtimeServerEvent = z.infer<typeof realtimeServerEventSchema>
