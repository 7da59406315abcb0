import { chatModelListSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { named, type Operation } from '../operation.ts'

const openAiModelList = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string(), object: z.literal('model') })),
})

export const openAiModelsOperation: Operation = {
  method: 'get',
  path: '/v1/models',
  summary: 'Lists the language models, in the format of the OpenAI API',
  key: 'basic or bearer',
  responses: { 'application/json': named('OpenAiModelList', openAiModelList) },
}

export const modelsOperation: Operation = {
  method: 'get',
  path: '/llm/v1alpha/models',
  summary: 'Lists the language models',
  key: 'basic',
  responses: { 'application/json': named('ChatModelList', chatModelListSchema) },
}
