import { chatModelListSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { named, type Operation } from '../operation.ts'

const openAiModel = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  /** `automatic-speech-recognition` for models that transcribe. */
  task: z.string().optional(),
})
const openAiModelList = z.object({ object: z.literal('list'), data: z.array(openAiModel) })

export const openAiModelsOperation: Operation = {
  method: 'get',
  path: '/v1/models',
  summary: 'Lists the models for chat and transcription, in the format of the OpenAI API',
  key: 'basic or bearer',
  responses: { 'application/json': named('OpenAiModelList', openAiModelList) },
}

export const openAiModelOperation: Operation = {
  method: 'get',
  path: '/v1/models/{model}',
  summary: 'Returns a model, in the format of the OpenAI API',
  key: 'basic or bearer',
  responses: { 'application/json': named('OpenAiModel', openAiModel) },
}

export const modelsOperation: Operation = {
  method: 'get',
  path: '/llm/v1alpha/models',
  summary: 'Lists the language models',
  key: 'basic',
  responses: { 'application/json': named('ChatModelList', chatModelListSchema) },
}
