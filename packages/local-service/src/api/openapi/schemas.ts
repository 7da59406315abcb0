import * as wire from '@parlando/core/wire'
import { z } from 'zod'

/** What travels, by the names that the description gives it. */
const named = {
  SpeechRequest: wire.speechRequestSchema,
  SpeechResult: wire.speechResultSchema,
  SpeechLine: z.union([
    z.object({ result: wire.speechResultSchema }),
    z.object({ error: wire.problemSchema }),
  ]),
  VoicePreviewQuery: z.object({ voice_id: z.string(), model_id: z.string().optional() }),
  VoicePreview: wire.voicePreviewSchema,
  Voice: wire.voiceSchema,
  VoiceListRequest: wire.voiceListRequestSchema,
  VoiceList: wire.voiceListSchema,
  VoiceUpdate: wire.voiceUpdateSchema,
  VoiceCloneBody: wire.voiceCloneBodySchema,
  VoiceCloneResponse: wire.voiceCloneResponseSchema,
  OlderVoiceListQuery: z.object({ filter: z.string().optional() }),
  OlderVoiceList: z.object({
    voices: z.array(
      z.object({
        voiceId: z.string(),
        displayName: z.string().nullish(),
        description: z.string().nullish(),
        tags: z.array(z.string()).nullish(),
        languages: z.array(z.string()),
        isCustom: z.boolean(),
      }),
    ),
  }),
  SpeechBytesRequest: wire.speechBytesRequestSchema,
  ChatRequest: wire.chatRequestSchema,
  ChatAnswer: wire.chatResponseSchema,
  ChatChunk: wire.chatChunkSchema,
  ChatModelList: wire.chatModelListSchema,
  OpenAiModelList: z.object({
    object: z.literal('list'),
    data: z.array(z.looseObject({ id: z.string(), object: z.literal('model') })),
  }),
  Health: z.object({
    status: z.enum(['ok', 'mute', 'stopping']),
    version: z.string(),
    engines: z.array(z.string()),
    voices: z.int(),
  }),
  Problem: z.object({ code: z.int(), message: z.string(), details: z.array(z.unknown()) }),
  OpenAiProblem: z.object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.null(),
      code: z.string().nullable(),
    }),
  }),
  Nothing: z.object({}),
}

type JsonSchema = Record<string, unknown>

/** The schemas in JSON Schema, as senders meet them; those that have a name point to each other by it. */
export function describeSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    unrepresentable: 'any',
  })
  const entries = Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
    name,
    schema,
  ])
  return Object.fromEntries(entries)
}
