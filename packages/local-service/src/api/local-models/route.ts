import { localModelInstallationSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { camelCaseKeys } from '../../http/camel-case.ts'
import { parseRequest } from '../../http/parse-request.ts'
import { readJsonBody } from '../../http/read-json.ts'
import type { LocalModels } from '../../local-models/local-models.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  cancelLocalModelOperation,
  installLocalModelOperation,
  listLocalModelsOperation,
  removeLocalModelOperation,
} from './operation.ts'

/** @param respond the object for the response. */
function endpoint(
  operation: Endpoint['operation'],
  respond: (models: LocalModels, context: Context) => Promise<object>,
): Endpoint {
  return {
    operation,
    createHandler: ({ openLocalModels }) =>
      openLocalModels &&
      (async (context) => context.json(await respond(await openLocalModels(), context))),
  }
}

const nameIn = (context: Context, verb = '') =>
  (context.req.param('name') ?? '').slice(0, verb ? -verb.length : undefined)

export const listLocalModels = endpoint(listLocalModelsOperation, (models) => models.list())

export const installLocalModel: Endpoint = {
  ...endpoint(installLocalModelOperation, async (models, context) => {
    const body = camelCaseKeys(await readJsonBody(context))
    const { acceptedLicence } = parseRequest(context, localModelInstallationSchema, body)
    return models.install(nameIn(context, ':install'), acceptedLicence)
  }),
  maxBodyBytes: 16 * 1024,
}

export const cancelLocalModel = endpoint(cancelLocalModelOperation, (models, context) =>
  models.cancel(nameIn(context, ':cancel')),
)

export const removeLocalModel = endpoint(removeLocalModelOperation, (models, context) =>
  models.remove(nameIn(context)),
)
