import { z } from 'zod'

const textsSchema = z.array(z.string().min(1))
const objectSchema = z.record(z.string(), z.unknown())

const toolCallSchema = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  /** `arguments` is JSON in a text, as the model wrote it. */
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
})

/** Text, or parts such as `{ type: 'text', text }` and `{ type: 'image_url', image_url: { url } }`. */
const contentSchema = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))])

/** One turn. An assistant's turn may have tool calls and no content; a tool's turn answers one of them. */
export const chatMessageSchema = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.enum(['system', 'developer', 'user']),
    content: contentSchema,
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: contentSchema.nullish(),
    name: z.string().optional(),
    /** As the API answers it, so that a turn can be handed in again. */
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCallSchema).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: contentSchema, tool_call_id: z.string() }),
])

/** One turn of a conversation, by `role`. */
export type ChatMessage = z.infer<typeof chatMessageSchema>

const toolSchema = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().min(1),
    description: z.string().optional(),
    /** JSON schema of the arguments. */
    parameters: objectSchema.optional(),
    strict: z.boolean().optional(),
  }),
})

const responseFormatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string().min(1),
      description: z.string().optional(),
      schema: objectSchema.optional(),
      strict: z.boolean().optional(),
    }),
  }),
])

const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** A wait such as `800ms` or `1.5s`. */
const waitSchema = z.string().regex(/^\d+(\.\d+)?m?s$/, 'a wait such as 800ms is needed')

/**
 * The body of `POST /v1/chat/completions`. Its names are the OpenAI API's own, with underscores; what is not listed here is
 * refused.
 */
export const chatRequestSchema = z
  .strictObject({
    /** `svc/models/<name>`, `provider/model`, `auto`, or a router's id. */
    model: z.string().min(1, 'no model is chosen'),
    messages: z.array(chatMessageSchema).min(1, 'there is no message to answer'),
    /** Decided by the call that is made, whatever stands here. */
    stream: z.boolean().optional(),
    stream_options: z.strictObject({ include_usage: z.boolean().optional() }).optional(),
    /** In tokens. A model that reasons spends them on that first: 2,000 is a good value. */
    max_tokens: z.int().min(1).optional(),
    /** The newer name of `max_tokens`. */
    max_completion_tokens: z.int().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
    /** Above 0, up to 1. */
    top_p: z.number().gt(0).max(1).optional(),
    presence_penalty: z.number().min(-2).max(2).optional(),
    frequency_penalty: z.number().min(-2).max(2).optional(),
    seed: z.int().optional(),
    /** One text or up to four at which the answer ends. */
    stop: z.union([z.string().min(1), textsSchema.max(4)]).optional(),
    /** From a token's number to -100..100. */
    logit_bias: z.record(z.string(), z.number().min(-100).max(100)).optional(),
    /** Who asks; requests of the same user go to the same model. */
    user: z.string().optional(),
    tools: z.array(toolSchema).optional(),
    tool_choice: z
      .union([
        z.enum(['none', 'auto', 'required']),
        z.strictObject({
          type: z.literal('function'),
          function: z.strictObject({ name: z.string().min(1) }),
        }),
      ])
      .optional(),
    response_format: responseFormatSchema.optional(),
    /** Letter case does not matter. */
    reasoning_effort: z
      .preprocess(
        (effort) => (typeof effort === 'string' ? effort.toLowerCase() : effort),
        z.enum(reasoningEfforts),
      )
      .optional(),
    /** Such as `['text', 'audio']`. */
    modalities: textsSchema.optional(),
    /** Ask for the answer spoken as well: a voice, and the synthesis model to speak it with. */
    audio: z
      .strictObject({ voice: z.string().min(1), model: z.string().min(1).optional() })
      .optional(),
    image_config: objectSchema.optional(),
    /** Models to try after `model`, in order. */
    models: textsSchema.optional(),
    /** Models or providers that must not be used. */
    ignore: textsSchema.optional(),
    /** What to choose by, the most important first. */
    sort: textsSchema.optional(),
    provider: z
      .strictObject({ order: textsSchema.optional(), allow_fallbacks: z.boolean().optional() })
      .optional(),
    /** Go to the next model when the first token takes longer than this; at least 300 ms. */
    fallback: z.strictObject({ ttft_timeout: waitSchema.optional() }).optional(),
    extra_body: z
      .strictObject({
        models: textsSchema.optional(),
        metadata: objectSchema.optional(),
        web_search: z.union([z.boolean(), objectSchema]).optional(),
        reasoning: objectSchema.optional(),
      })
      .optional(),
    web_search: z.union([z.boolean(), objectSchema]).optional(),
    web_search_options: objectSchema.optional(),
  })
  .refine(
    (request) => request.web_search === undefined || request.web_search_options === undefined,
    'web_search and web_search_options exclude each other',
  )

/** What a language model is asked. */
export type ChatRequest = z.infer<typeof chatRequestSchema>

const textSchema = z.string().nullish()

const toolCallFragmentSchema = z.looseObject({
  index: z.number().nullish(),
  id: textSchema,
  function: z.looseObject({ name: textSchema, arguments: textSchema }).nullish(),
})

/** What the model says: a whole message or, in a stream, the next bit of one. */
export const chatTurnSchema = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ text: textSchema }))]).nullish(),
  /** What a reasoning model thinks before it answers, under either name. */
  reasoning_content: textSchema.catch(undefined),
  reasoning: textSchema.catch(undefined),
  refusal: textSchema,
  tool_calls: z.array(toolCallFragmentSchema).nullish(),
  /** `data` is base64 of PCM, 16-bit little-endian, mono, 48 kHz. */
  audio: z.looseObject({ id: textSchema, data: textSchema, transcript: textSchema }).nullish(),
})

/** What the model says, as it comes. */
export type ChatTurn = z.infer<typeof chatTurnSchema>

/** What the service counted, in tokens. */
export const chatUsageSchema = z.looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.number().nullish() }).nullish(),
})

const responseFields = {
  // Odd facts about an answer are no reason to lose it.
  id: textSchema.catch(undefined),
  model: textSchema.catch(undefined),
  usage: chatUsageSchema.nullish().catch(undefined),
  metadata: z.looseObject({}).nullish().catch(undefined),
}

/** The whole answer, of which the first choice is read. */
export const chatResponseSchema = z.looseObject({
  ...responseFields,
  choices: z.tuple(
    [z.looseObject({ message: chatTurnSchema, finish_reason: textSchema })],
    z.unknown(),
  ),
})

/** The data of one event of a streamed answer; the one with the usage has no choices. */
export const chatChunkSchema = z.looseObject({
  ...responseFields,
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish(),
        delta: chatTurnSchema.nullish(),
        finish_reason: textSchema,
      }),
    )
    .nullish(),
  /** What went wrong, instead of choices. */
  error: z.unknown().optional(),
})
