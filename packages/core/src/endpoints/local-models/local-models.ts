import { z } from 'zod'
import type { Call } from '../../http/client-options.ts'
import type { HttpRequest } from '../../http/transport.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type LocalModel,
  localModelInstallationSchema,
  localModelListSchema,
  localModelSchema,
} from '../../wire/local-model.ts'
import { strictObject } from '../../wire/object-schema.ts'
import type { EndpointContext } from '../response-source.ts'

/** The models that the service can install on its machine. */
export interface LocalModelList {
  models: LocalModel[]
  /** Why models cannot run on this machine. */
  problem?: string
  /** Whether the first installation of a model that needs sherpa-onnx-node also installs it, with npm. */
  needsAddon: boolean
  requestId: string
}

/** The model to install. */
export interface LocalModelInstallation {
  name: string
  /** The name of the licence that the user has read and accepted. */
  acceptedLicence: string
}

const nameSchema = z
  .string()
  .min(1, 'must not be empty')
  // Trap: `.` and `..` change the path, and a lone surrogate cannot be URL-encoded.
  .refine((name) => !/^\.\.?$|\p{Surrogate}/u.test(name), 'is not a valid name')
const installationInputSchema = strictObject({
  name: nameSchema,
  ...localModelInstallationSchema.shape,
})

const pathOf = (name: string) => `/local/v1/models/${encodeURIComponent(name)}`

/** `GET /local/v1/models`. An extension of the local service, like the functions below. */
export async function listLocalModels(
  { transport }: EndpointContext,
  _: undefined,
  call: Call,
): Promise<LocalModelList> {
  const request = { method: 'GET', path: '/local/v1/models' } as const
  const { data, requestId } = await transport.sendForJson(localModelListSchema, request, call)
  const { models, problem, needsAddon } = data
  return { models, needsAddon, requestId, ...(problem && { problem }) }
}

/** `POST /local/v1/models/{name}:install`: begins an installation. Repeated during the installation, it changes nothing. */
export async function installLocalModel(
  context: EndpointContext,
  installation: LocalModelInstallation,
  call: Call,
): Promise<LocalModel> {
  const parsed = parseInput(installationInputSchema, installation, 'Model installation')
  const { name, ...json } = parsed
  const path = `${pathOf(name)}:install`
  return sendForModel(context, { method: 'POST', path, body: { json } }, call)
}

/** `POST /local/v1/models/{name}:cancel`. */
export async function cancelLocalModel(
  context: EndpointContext,
  name: string,
  call: Call,
): Promise<LocalModel> {
  const path = `${pathOf(parseInput(nameSchema, name, 'Model name'))}:cancel`
  return sendForModel(context, { method: 'POST', path }, call)
}

/** `DELETE /local/v1/models/{name}`. */
export async function removeLocalModel(
  context: EndpointContext,
  name: string,
  call: Call,
): Promise<LocalModel> {
  const path = pathOf(parseInput(nameSchema, name, 'Model name'))
  return sendForModel(context, { method: 'DELETE', path }, call)
}

async function sendForModel(
  { transport }: EndpointContext,
  request: HttpRequest,
  call: Call,
): Promise<LocalModel> {
  const { data } = await transport.sendForJson(localModelSchema, request, call)
  return data
}
