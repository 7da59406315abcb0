import type { Hono } from 'hono'
import type { ChatUpstream } from '../chat/chat-upstream.ts'
import { echoModel, maxEchoWords } from '../chat/echo.ts'

/** `GET /llm/v1alpha/models`, and `GET /v1/models` for clients of the OpenAI API: the language models. */
export function addModelRoutes(app: Hono, upstream: ChatUpstream | undefined): void {
  const namesOfUpstream = async () => {
    const names = (await upstream?.listModels()) ?? []
    const models = names.map((name) => (name.startsWith('svc/') ? name : `svc/models/${name}`))
    return models.filter((model) => model !== echoModel)
  }

  app.get('/llm/v1alpha/models', async (context) => {
    const others = await namesOfUpstream()
    const models = others.map((model) => ({ model, provider: 'upstream', isSupported: true }))
    return context.json({ models: [echoEntry, ...models] })
  })

  app.get('/v1/models', async (context) => {
    const names = [echoModel, ...(await namesOfUpstream())]
    const data = names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'parlando' }))
    return context.json({ object: 'list', data })
  })
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
