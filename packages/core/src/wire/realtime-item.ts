import { z } from 'zod'
import { looseObject, strictObject } from './object-schema.ts'

const idSchema = z.string().min(1).max(64)

const itemFields = {
  /** Default: the service chooses one. */
  id: idSchema.optional(),
  object: z.literal('realtime.item').optional(),
  status: z.enum(['completed', 'incomplete', 'in_progress']).optional(),
}

const textPart = <Type extends string>(type: Type) =>
  strictObject({ type: z.literal(type), text: z.string() })

const messageFields = { ...itemFields, type: z.literal('message') }

const audioPart = <Type extends string>(type: Type) =>
  strictObject({
    type: z.literal(type),
    /** Base64, in the input format of the session. */
    audio: z.string().optional(),
    transcript: z.string().nullish(),
  })

// Only the form with the given type and role is tried: a message may have thousands of parts.
const messageSchema = z.discriminatedUnion('role', [
  strictObject({
    ...messageFields,
    role: z.literal('system'),
    content: z.array(textPart('input_text')),
  }),
  strictObject({
    ...messageFields,
    role: z.literal('user'),
    content: z.array(
      z.discriminatedUnion('type', [textPart('input_text'), audioPart('input_audio')]),
    ),
  }),
  strictObject({
    ...messageFields,
    role: z.literal('assistant'),
    content: z.array(
      z.discriminatedUnion('type', [textPart('output_text'), audioPart('output_audio')]),
    ),
  }),
])

/** A new item of the conversation, from the client. */
export const realtimeNewItemSchema = z.discriminatedUnion('type', [
  messageSchema,
  strictObject({
    ...itemFields,
    type: z.literal('function_call'),
    call_id: idSchema.optional(),
    name: z.string().min(1),
    /** JSON text. */
    arguments: z.string(),
  }),
  strictObject({
    ...itemFields,
    type: z.literal('function_call_output'),
    call_id: idSchema,
    /** The result, any text; mostly JSON. */
    output: z.string(),
  }),
])

/** A new item of the conversation, from the client. */
export type RealtimeNewItem = z.infer<typeof realtimeNewItemSchema>

/** An item of the conversation, as the service reports it. */
export const realtimeItemSchema = looseObject({
  id: z.string(),
  object: z.string().nullish(),
  /** `message`, `function_call`, `function_call_output`, or a type that a later version adds. */
  type: z.string(),
  /** `completed`, `incomplete` or `in_progress`. */
  status: z.string().nullish(),
  /** The speaker of a message: `system`, `user` or `assistant`. */
  role: z.string().nullish(),
  /** Of a message. */
  content: z
    .array(
      looseObject({
        /** `input_text`, `input_audio`, `output_text` or `output_audio`. */
        type: z.string(),
        text: z.string().nullish(),
        transcript: z.string().nullish(),
      }),
    )
    .nullish(),
  /** The id that a function call shares with its result. */
  call_id: z.string().nullish(),
  name: z.string().nullish(),
  /** The arguments of a function call, as JSON text. */
  arguments: z.string().nullish(),
  /** The result of a function call. */
  output: z.string().nullish(),
})

/** An item of the conversation, as the service reports it. */
export type RealtimeItem = z.infer<typeof realtimeItemSchema>
