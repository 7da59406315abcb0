import { z } from 'zod'

const textSchema = z.string().nullish()
const textsSchema = z.array(z.string()).nullish()
const countSchema = z.number().nullish()

/** A number, or one in a text. */
const priceSchema = z.union([z.number(), z.string()]).nullish()

/** A language model to chat with. Empty, `null` and absent mean the same. */
export const chatModelSchema = z.looseObject({
  /** What a chat request names it by. */
  model: z.string().min(1),
  provider: textSchema,
  modelCreator: textSchema,
  pricing: z
    .looseObject({
      prompt: priceSchema,
      completion: priceSchema,
      promptToken: priceSchema,
      completionToken: priceSchema,
    })
    .nullish(),
  spec: z
    .looseObject({
      inputModalities: textsSchema,
      outputModalities: textsSchema,
      /** In tokens. */
      contextLength: countSchema,
      /** In tokens. */
      maxCompletionTokens: countSchema,
      supportedParameters: textsSchema,
      capabilities: z.looseObject({}).nullish(),
    })
    .nullish(),
  isSupported: z.boolean().nullish(),
})

/** A language model. */
export type ChatModel = z.infer<typeof chatModelSchema>

/** The answer of `GET /llm/v1alpha/models`. */
export const chatModelListSchema = z.looseObject({ models: z.array(chatModelSchema).nullish() })
