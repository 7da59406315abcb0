import { z } from 'zod'
import { looseObject, strictObject } from './object-schema.ts'

/** The licence of a model, and what it allows. */
const licenceSchema = looseObject({
  /** The name that a request to install the model must repeat, such as `CC0-1.0`. */
  name: z.string(),
  /** Forms link to it, so it is not, for example, a script. */
  url: z.string().regex(/^https?:\/\//, 'must begin with https://'),
  commercialUse: z.enum(['yes', 'no', 'unclear']).catch('unclear'),
  /** What the user must know before the download. */
  notice: z.string().nullish(),
})

/** The progress of an installation, or why it failed. */
const installationSchema = looseObject({
  /** `preparing` installs sherpa-onnx-node, `loading` loads the model for a test. */
  state: z.enum(['preparing', 'downloading', 'unpacking', 'loading', 'failed']),
  /** While it downloads. */
  receivedBytes: z.number().nullish(),
  totalBytes: z.number().nullish(),
  /** Why it failed, such as `NO_SPACE`, and a sentence about it. */
  code: z.string().nullish(),
  message: z.string().nullish(),
})

/** A model that the local service can install on its machine. */
export const localModelSchema = looseObject({
  name: z.string().min(1),
  kind: z.enum(['voice', 'recogniser', 'wake-word']),
  displayName: z.string(),
  /** In one line: for what and for whom. */
  summary: z.string(),
  /** As in BCP 47, such as `de` or `pt-BR`. */
  languages: z.array(z.string()),
  downloadBytes: z.number(),
  licence: licenceSchema,
  /** Whether two projects that are independent of each other have published the checksum. */
  isConfirmed: z.boolean(),
  isInstalled: z.boolean(),
  /** Whether the machine is likely to be fast and large enough. */
  fit: z.enum(['good', 'slow', 'too-large', 'unsupported']),
  /** An estimate. */
  memoryBytes: z.number(),
  /** Absent if it is not being installed, and the last attempt did not fail. */
  installation: installationSchema.nullish(),
})

/** A model that the local service can install on its machine. */
export type LocalModel = z.infer<typeof localModelSchema>

/** The response of `GET /local/v1/models`, an extension of the local service. */
export const localModelListSchema = looseObject({
  models: z.array(localModelSchema),
  /** Why models that need sherpa-onnx-node cannot run on this machine. */
  problem: z.string().nullish(),
  /** Whether the first installation of a model that needs sherpa-onnx-node also installs it, with npm. */
  needsAddon: z.boolean(),
})

/** The body of `POST /local/v1/models/{name}:install`. */
export const localModelInstallationSchema = strictObject({
  /** The name of the licence that the user has accepted. */
  acceptedLicence: z.string(),
})
