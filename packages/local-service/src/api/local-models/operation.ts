import {
  localModelInstallationSchema,
  localModelListSchema,
  localModelSchema,
} from '@parlando/core/wire'
import { named, type Operation } from '../operation.ts'

const path = '/local/v1/models'
const key = 'basic'
const responses = { 'application/json': named('LocalModel', localModelSchema) }

export const listLocalModelsOperation: Operation = {
  method: 'get',
  path,
  key,
  summary: 'Lists the voices and recognisers that can be installed on this machine',
  responses: { 'application/json': named('LocalModelList', localModelListSchema) },
}

export const installLocalModelOperation: Operation = {
  method: 'post',
  path: `${path}/{name}:install`,
  key,
  responses,
  summary: 'Begins to download and install a model whose licence the user has accepted',
  body: named('LocalModelInstallation', localModelInstallationSchema),
  bodyExample: { acceptedLicence: 'CC0-1.0' },
}

export const cancelLocalModelOperation: Operation = {
  method: 'post',
  path: `${path}/{name}:cancel`,
  key,
  responses,
  summary: 'Cancels the installation of a model, or forgets why it failed',
}

export const removeLocalModelOperation: Operation = {
  method: 'delete',
  path: `${path}/{name}`,
  key,
  responses,
  summary: 'Deletes an installed model',
}
