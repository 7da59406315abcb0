import type { ChatUpstream } from '../chat/chat-upstream.ts'
import { echoModel, maxEchoWords } from '../chat/echo.ts'
import type { Endpoint } from '../endpoint.ts'
import { modelsOperation, openAiModelsOperation } from './operation.ts'

export const models: Endpoint = {
  operation: modelsOperation,
  createHandler:
    ({ chatUpstream }) =>
    async (context) => {
      const names = await listUpstreamModels(chatUpstream)
      const models = names.map((model) => ({ model, provider: 'upstream', isSupported: true }))
      return context.json({ models: [echoEntry, ...models] })
    },
}

/** For clients of the OpenAI API. */
export const openAiModels: Endpoint = {
  operation: openAiModelsOperation,
  createHandler:
    ({ chatUpstream }) =>
    async (context) => {
      const names = [echoModel, ...(await listUpstreamModels(chatUpstream))]
      const data = names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'parlando' }))
      return context.json({ object: 'list', data })
    },
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
