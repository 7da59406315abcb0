import { z } from 'zod'
import { looseObject, numberSchema, strictObject } from './object-schema.ts'
import { speechRequestSchema, speechWarningsSchema } from './speech.ts'

/** One text of a batch. */
const speechBatchItemSchema = strictObject({
  /** Names the text in the results. Up to 63 characters. */
  customId: z.string().min(1, 'must not be empty').max(63),
  request: speechRequestSchema,
})

/** The body of `POST /tts/v1/voice:synthesizeBatch`. */
export const speechBatchSchema = strictObject({
  /** At most 10,000. */
  items: z.array(speechBatchItemSchema).min(1).max(10_000),
})

/** Texts that are spoken one after the other, each into a file. */
export type SpeechBatch = z.infer<typeof speechBatchSchema>

/** How far an operation is. Only the local service reports it. */
const operationMetadataSchema = looseObject({
  /** `QUEUED`, `RUNNING`, `PAUSED`, `SUCCEEDED` or `FAILED`. */
  state: z.string().nullish(),
  /** Of all texts, in UTF-16 code units. */
  characters: numberSchema.nullish(),
  /** Those that are spoken, at most all. */
  spokenCharacters: numberSchema.nullish(),
})

/** Where the files of an operation are. Anybody who has a URI may read its file: a request for it carries no key. */
const operationFilesSchema = looseObject({
  /** The audio of one text. */
  audioUri: z.string().nullish(),
  /** If the request asked for times, and the voice reports them: a document with a `timestampInfo`. */
  timestampsUri: z.string().nullish(),
  /** About the one text. Only the local service reports them. */
  warnings: speechWarningsSchema.nullish().catch(undefined),
  /** Of a batch: a document of `speechBatchResultsSchema`. */
  resultsUri: z.string().nullish(),
  /** When the files are deleted, in the form of RFC 3339. */
  expireTime: z.string().nullish(),
})

/** The work on a long text or on a batch. */
export const operationSchema = looseObject({
  /** Such as `ttsAsyncJobs/a1/operations/a1`: `GET /lro/v1alpha/{name}` reports the state. */
  name: z.string().min(1),
  done: z.boolean().nullish(),
  // Malformed progress must not lose the result.
  metadata: operationMetadataSchema.nullish().catch(undefined),
  /** Present if it succeeded. If it failed, there is an `error` in its place: a gRPC status. */
  response: operationFilesSchema.nullish(),
})

/** The work on a long text or on a batch. */
export type SpeechOperation = z.infer<typeof operationSchema>

/** The response of `GET /lro/v1alpha/ttsAsyncJobs/{job}/operations`. */
export const operationListSchema = looseObject({
  operations: z.array(operationSchema),
  nextPageToken: z.string().nullish(),
})

/** The document at the `resultsUri` of a batch. */
export const speechBatchResultsSchema = looseObject({
  results: z.array(
    looseObject({
      customId: z.string(),
      /** Absent if the text could not be spoken. */
      audioUri: z.string().nullish(),
      timestampsUri: z.string().nullish(),
      warnings: speechWarningsSchema.nullish().catch(undefined),
      /** The code is the name of a gRPC status, such as `UNAVAILABLE`. */
      error: looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
    }),
  ),
  failedItems: numberSchema.nullish(),
})

/** What became of each text of a batch. */
export type SpeechBatchResults = z.infer<typeof speechBatchResultsSchema>
