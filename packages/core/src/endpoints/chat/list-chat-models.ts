import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { type ChatModel, chatModelListSchema } from '../../wire/models.ts'
import type { EndpointContext } from '../context.ts'

const what = 'Model list'

/** The language models of the service. */
export interface ChatModelList {
  models: ChatModel[]
  requestId: string
}

/** `GET /llm/v1alpha/models`: lists the language models for chat. */
export async function listChatModels(
  { transport }: EndpointContext,
  _: undefined,
  call: Call,
): Promise<ChatModelList> {
  const response = await transport.sendForJson(
    { what, method: 'GET', path: '/llm/v1alpha/models' },
    call,
  )
  const { models } = parseResponse(chatModelListSchema, response)
  return { models: models ?? [], requestId: response.requestId }
}
