import { chatModelListSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { echoModel, maxEchoWords } from '../../chat/echo/echo.ts'
import { type ChatUpstream, transcriptionTask } from '../../chat/upstream/chat-upstream.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { listModels } from '../../recognisers/recogniser-registry.ts'
import { type ApiContext, type Endpoint, named } from '../app/endpoint.ts'

const openAiModelSchema = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  /** `automatic-speech-recognition` for models that transcribe. */
  task: z.string().optional(),
})
const openAiModelListSchema = z.object({
  object: z.literal('list'),
  data: z.array(openAiModelSchema),
})

export const models: Endpoint = {
  operation: {
    method: 'get',
    path: '/llm/v1alpha/models',
    summary: 'Lists the language models',
    key: 'basic',
    responses: { 'application/json': named('ChatModelList', chatModelListSchema) },
  },
  createHandler:
    ({ chatUpstream }) =>
    async (context) => {
      const names = await listUpstreamModels(chatUpstream)
      const models = names.map((model) => ({ model, provider: 'upstream', isSupported: true }))
      return context.json({ models: [echoEntry, ...models] })
    },
}

/** The same list for clients of the OpenAI API, with the models that transcribe. */
export const openAiModels: Endpoint = {
  operation: {
    method: 'get',
    path: '/v1/models',
    summary: 'Lists the models for chat and transcription, in the format of the OpenAI API',
    key: 'basic or bearer',
    responses: { 'application/json': named('OpenAiModelList', openAiModelListSchema) },
  },
  createHandler: (service) => async (context) => {
    return context.json({ object: 'list', data: await listOpenAiModels(service) })
  },
}

/** Slashes in the name must be encoded: `svc%2Fmodels%2Fecho`. */
export const openAiModel: Endpoint = {
  operation: {
    method: 'get',
    path: '/v1/models/{model}',
    summary: 'Returns a model, in the format of the OpenAI API',
    key: 'basic or bearer',
    responses: { 'application/json': named('OpenAiModel', openAiModelSchema) },
  },
  createHandler: (service) => async (context) => {
    const name = context.req.param('model') ?? ''
    const models = await listOpenAiModels(service)
    const model = models.find(({ id }) => id === name || id === `svc/models/${name}`)
    if (model) return context.json(model)
    throw new ServiceError('NOT_FOUND', `Unknown model: ${name}. GET /v1/models lists the models`)
  },
}

async function listOpenAiModels({ chatUpstream, recognisers }: ApiContext) {
  const common = { object: 'model', created: 0, owned_by: 'parlando' }
  const chatting = [echoModel, ...(await listUpstreamModels(chatUpstream))]
  const transcribing = listModels(recognisers).map(({ model }) => model.modelId)
  return [
    ...chatting.map((id) => ({ id, ...common })),
    ...transcribing.map((id) => ({ id, ...common, task: transcriptionTask })),
  ]
}

async function listUpstreamModels(upstream: ChatUpstream | undefined): Promise<string[]> {
  const names = (await upstream?.listModels()) ?? []
  const models = names.map((name) => (name.startsWith('svc/') ? name : `svc/models/${name}`))
  return models.filter((model) => model !== echoModel)
}

const echoEntry = {
  model: echoModel,
  provider: 'local',
  modelCreator: 'parlando',
  pricing: { prompt: 0, completion: 0 },
  spec: {
    inputModalities: ['text'],
    outputModalities: ['text'],
    maxCompletionTokens: maxEchoWords,
    supportedParameters: ['max_tokens', 'max_completion_tokens', 'stop', 'stream'],
  },
  isSupported: true,
}
