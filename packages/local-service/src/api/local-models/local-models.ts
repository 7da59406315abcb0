import {
  localModelInstallationSchema,
  localModelListSchema,
  localModelSchema,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import type { ModelManager } from '../../model-management/model-manager.ts'
import { readValidBody } from '../../requests/parse-request.ts'
import { type Endpoint, named, type Operation } from '../app/endpoint.ts'

const path = '/local/v1/models'
const key = 'basic'
const responses = { 'application/json': named('LocalModel', localModelSchema) }

const listLocalModelsOperation: Operation = {
  method: 'get',
  path,
  key,
  summary: 'Lists the voices, recognisers and wake words that can be installed on this machine',
  responses: { 'application/json': named('LocalModelList', localModelListSchema) },
}

const installLocalModelOperation: Operation = {
  method: 'post',
  path: `${path}/{name}:install`,
  key,
  responses,
  summary: 'Begins to download and install a model whose licence the user has accepted',
  body: named('LocalModelInstallation', localModelInstallationSchema),
  bodyExample: { acceptedLicence: 'CC0-1.0' },
}

const cancelLocalModelOperation: Operation = {
  method: 'post',
  path: `${path}/{name}:cancel`,
  key,
  responses,
  summary: 'Cancels the installation of a model, or forgets why it failed',
}

const removeLocalModelOperation: Operation = {
  method: 'delete',
  path: `${path}/{name}`,
  key,
  responses,
  summary: 'Deletes an installed model',
}

/** @param respond the object for the response. */
function endpoint(
  operation: Endpoint['operation'],
  respond: (manager: ModelManager, context: Context) => Promise<object>,
): Endpoint {
  return {
    operation,
    createHandler: ({ openModelManager }) =>
      openModelManager &&
      (async (context) => context.json(await respond(await openModelManager(), context))),
  }
}

const nameIn = (context: Context, verb = '') =>
  (context.req.param('name') ?? '').slice(0, verb ? -verb.length : undefined)

export const listLocalModels = endpoint(listLocalModelsOperation, (manager) => manager.list())

export const installLocalModel: Endpoint = {
  ...endpoint(installLocalModelOperation, async (manager, context) => {
    const { acceptedLicence } = await readValidBody(context, localModelInstallationSchema)
    return manager.install(nameIn(context, ':install'), acceptedLicence)
  }),
  maxBodyBytes: 16 * 1024,
}

export const cancelLocalModel = endpoint(cancelLocalModelOperation, (manager, context) =>
  manager.cancel(nameIn(context, ':cancel')),
)

export const removeLocalModel = endpoint(removeLocalModelOperation, (manager, context) =>
  manager.remove(nameIn(context)),
)
