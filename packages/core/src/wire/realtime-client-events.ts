import { z } from 'zod'
import { strictObject } from './object-schema.ts'
import { realtimeNewItemSchema } from './realtime-item.ts'
import { realtimeResponseSettingsSchema, realtimeSessionSchema } from './realtime-session.ts'

const event = <Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) =>
  strictObject({
    type: z.literal(type),
    /** Chosen by the client. An `error` event names the event that caused it. */
    event_id: z.string().max(512).optional(),
    ...shape,
  })

const item = { item_id: z.string().min(1) }

/** An event of the client on the socket `/v1/realtime`. */
export const realtimeClientEventSchema = z.discriminatedUnion('type', [
  event('session.update', { session: realtimeSessionSchema }),
  /** Base64, in the input format of the session, in pieces of any size. */
  event('input_audio_buffer.append', { audio: z.string() }),
  /** Ends the turn of the user. With turn detection, the service does this. */
  event('input_audio_buffer.commit', {}),
  event('input_audio_buffer.clear', {}),
  event('conversation.item.create', {
    item: realtimeNewItemSchema,
    /** `root`: the new item becomes the first. Default: it becomes the last. */
    previous_item_id: z.string().min(1).nullish(),
  }),
  event('conversation.item.retrieve', item),
  /** Shortens the speech of a message to the part that the user heard. */
  event('conversation.item.truncate', {
    ...item,
    content_index: z.int().min(0),
    audio_end_ms: z.int().min(0),
  }),
  event('conversation.item.delete', item),
  event('response.create', { response: realtimeResponseSettingsSchema.optional() }),
  /** Default: the current response. */
  event('response.cancel', { response_id: z.string().min(1).optional() }),
  /** Drops the audio that the service has not sent yet; for services that play the audio themselves. */
  event('output_audio_buffer.clear', {}),
])

/** An event of the client. */
export type RealtimeClientEvent = z.infer<typeof realtimeClientEventSchema>
