import { z } from 'zod'
import { looseObject, numberSchema } from './object-schema.ts'

const textSchema = z.string().nullish()
const textsSchema = z.array(z.string()).nullish()
const countSchema = numberSchema.nullish()

/** A number, or a string that contains one. */
const priceSchema = z.union([z.number(), z.string()]).nullish()

/** A language model for chat. Empty, `null` and absent mean the same. */
export const chatModelSchema = looseObject({
  /** The id for a chat request. */
  model: z.string().min(1),
  provider: textSchema,
  modelCreator: textSchema,
  pricing: looseObject({
    prompt: priceSchema,
    completion: priceSchema,
    promptToken: priceSchema,
    completionToken: priceSchema,
  }).nullish(),
  spec: looseObject({
    inputModalities: textsSchema,
    outputModalities: textsSchema,
    /** How many tokens a request and its response may have together. */
    contextLength: countSchema,
    /** How many tokens a response may have. */
    maxCompletionTokens: countSchema,
    supportedParameters: textsSchema,
    capabilities: looseObject({}).nullish(),
  }).nullish(),
  isSupported: z.boolean().nullish(),
})

/** A language model. */
export type ChatModel = z.infer<typeof chatModelSchema>

/** The response of `GET /llm/v1alpha/models`. */
export const chatModelListSchema = looseObject({ models: z.array(chatModelSchema).nullish() })
