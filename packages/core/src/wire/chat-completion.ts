import { z } from 'zod'
import { looseObject, strictObject } from './object-schema.ts'

const textsSchema = z.array(z.string().min(1))
const objectSchema = z.record(z.string(), z.unknown())

const toolCallSchema = strictObject({
  id: z.string(),
  type: z.literal('function'),
  /** `arguments` is a JSON string, exactly as the model wrote it. */
  function: strictObject({ name: z.string(), arguments: z.string() }),
})

/** Text, or parts such as `{ type: 'text', text }` and `{ type: 'image_url', image_url: { url } }`. */
const contentSchema = z.union([z.string(), z.array(looseObject({ type: z.string() }))])

/** One turn. An assistant's turn can have tool calls instead of content; a tool's turn contains the result of one call. */
export const chatMessageSchema = z.discriminatedUnion('role', [
  strictObject({
    role: z.enum(['system', 'developer', 'user']),
    content: contentSchema,
    name: z.string().optional(),
  }),
  strictObject({
    role: z.literal('assistant'),
    content: contentSchema.nullish(),
    name: z.string().optional(),
    /** As in a response of the API, so that a request can contain the turn again. */
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCallSchema).optional(),
  }),
  strictObject({ role: z.literal('tool'), content: contentSchema, tool_call_id: z.string() }),
])

/** One turn of a conversation, by `role`. */
export type ChatMessage = z.infer<typeof chatMessageSchema>

const toolSchema = strictObject({
  type: z.literal('function'),
  function: strictObject({
    name: z.string().min(1),
    description: z.string().optional(),
    /** JSON schema of the arguments. */
    parameters: objectSchema.optional(),
    strict: z.boolean().optional(),
  }),
})

const responseFormatSchema = z.discriminatedUnion('type', [
  strictObject({ type: z.literal('text') }),
  strictObject({ type: z.literal('json_object') }),
  strictObject({
    type: z.literal('json_schema'),
    json_schema: strictObject({
      name: z.string().min(1),
      description: z.string().optional(),
      schema: objectSchema.optional(),
      strict: z.boolean().optional(),
    }),
  }),
])

const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** A duration such as `800ms` or `1.5s`. */
const durationSchema = z.string().regex(/^\d+(\.\d+)?m?s$/, 'must be a duration such as 800ms')

/**
 * The body of `POST /v1/chat/completions`, with the snake_case names of the OpenAI API. The client rejects unlisted fields.
 */
export const chatRequestSchema = strictObject({
  /** `svc/models/<name>`, `provider/model`, `auto`, or a router's id. */
  model: z.string().min(1, 'must not be empty'),
  messages: z.array(chatMessageSchema).min(1, 'must contain at least one message'),
  /** Ignored: the method that is called decides. */
  stream: z.boolean().optional(),
  stream_options: strictObject({ include_usage: z.boolean().optional() }).optional(),
  /** In tokens. A reasoning model first spends them on reasoning; 2,000 is a good value. */
  max_tokens: z.int().min(1).optional(),
  /** The newer name of `max_tokens`. */
  max_completion_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Above 0, up to 1. */
  top_p: z.number().gt(0).max(1).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  seed: z.int().optional(),
  /** One to four strings at which the response ends. */
  stop: z.union([z.string().min(1), textsSchema.max(4)]).optional(),
  /** Maps a token's number to a bias from -100 to 100. */
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).optional(),
  /** The end user; the service routes requests of one user to the same model. */
  user: z.string().optional(),
  tools: z.array(toolSchema).optional(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      strictObject({
        type: z.literal('function'),
        function: strictObject({ name: z.string().min(1) }),
      }),
    ])
    .optional(),
  response_format: responseFormatSchema.optional(),
  /** Case-insensitive. */
  reasoning_effort: z
    .preprocess(
      (effort) => (typeof effort === 'string' ? effort.toLowerCase() : effort),
      z.enum(reasoningEfforts),
    )
    .optional(),
  /** Such as `['text', 'audio']`. */
  modalities: textsSchema.optional(),
  /** Also requests the response as speech, with a voice and a synthesis model. */
  audio: strictObject({ voice: z.string().min(1), model: z.string().min(1).optional() }).optional(),
  image_config: objectSchema.optional(),
  /** Models to try after `model`, in order. */
  models: textsSchema.optional(),
  /** Models or providers that must not be used. */
  ignore: textsSchema.optional(),
  /** The criteria for choosing a model, most important first. */
  sort: textsSchema.optional(),
  provider: strictObject({
    order: textsSchema.optional(),
    allow_fallbacks: z.boolean().optional(),
  }).optional(),
  /** Switches to the next model if the first token takes longer than this; at least 300 ms. */
  fallback: strictObject({ ttft_timeout: durationSchema.optional() }).optional(),
  extra_body: strictObject({
    models: textsSchema.optional(),
    metadata: objectSchema.optional(),
    web_search: z.union([z.boolean(), objectSchema]).optional(),
    reasoning: objectSchema.optional(),
  }).optional(),
  web_search: z.union([z.boolean(), objectSchema]).optional(),
  web_search_options: objectSchema.optional(),
}).refine(
  (request) => request.web_search === undefined || request.web_search_options === undefined,
  'web_search and web_search_options are mutually exclusive',
)

/** A request to a language model. */
export type ChatRequest = z.infer<typeof chatRequestSchema>

const textSchema = z.string().nullish()

const toolCallFragmentSchema = looseObject({
  index: z.number().nullish(),
  id: textSchema,
  function: looseObject({ name: textSchema, arguments: textSchema }).nullish(),
})

/** The output of the model: a whole message or, in a stream, the next delta. */
export const chatTurnSchema = looseObject({
  content: z.union([z.string(), z.array(looseObject({ text: textSchema }))]).nullish(),
  /** The reasoning of the model before its response; services use either name. */
  reasoning_content: textSchema.catch(undefined),
  reasoning: textSchema.catch(undefined),
  refusal: textSchema,
  tool_calls: z.array(toolCallFragmentSchema).nullish(),
  /** `data` is base64 of PCM, 16-bit little-endian, mono, 48 kHz. */
  audio: looseObject({ id: textSchema, data: textSchema, transcript: textSchema }).nullish(),
})

/** The output of the model: a message or a delta. */
export type ChatTurn = z.infer<typeof chatTurnSchema>

/** The usage that the service counted, in tokens. */
export const chatUsageSchema = looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
  completion_tokens_details: looseObject({ reasoning_tokens: z.number().nullish() }).nullish(),
})

const responseFields = {
  // Malformed metadata must not lose the response.
  id: textSchema.catch(undefined),
  model: textSchema.catch(undefined),
  usage: chatUsageSchema.nullish().catch(undefined),
  metadata: looseObject({}).nullish().catch(undefined),
}

/** The whole response. The client reads the first choice. */
export const chatResponseSchema = looseObject({
  ...responseFields,
  choices: z.tuple(
    [looseObject({ message: chatTurnSchema, finish_reason: textSchema })],
    z.unknown(),
  ),
})

/** The data of one event of a streamed response. The event with the usage has no choices. */
export const chatChunkSchema = looseObject({
  ...responseFields,
  choices: z
    .array(
      looseObject({
        index: z.number().nullish(),
        delta: chatTurnSchema.nullish(),
        finish_reason: textSchema,
      }),
    )
    .nullish(),
  /** An error, instead of choices. */
  error: z.unknown().optional(),
})
