import { ServiceError } from '../errors/service-error.ts'
import { echoModel } from './echo/echo.ts'
import type { ChatUpstream } from './upstream/chat-upstream.ts'

/** In requests: the first model of the upstream or, without an upstream, the echo. */
export const autoModel = 'auto'

/** Who responds to a chat: the built-in stand-in, or a language model of the upstream, by its name there. */
export type FoundChatModel =
  | { kind: 'echo' }
  | { kind: 'upstream'; upstream: ChatUpstream; name: string }

/**
 * Finds who responds. `svc/models/<name>` is `<name>` for the upstream, and `auto` its first model, if it lists any.
 * @returns nothing if this service has no such model. An upstream itself rejects what it does not know.
 */
export async function findChatModel(
  model: string,
  upstream: ChatUpstream | undefined,
): Promise<FoundChatModel | undefined> {
  if (model === echoModel) return { kind: 'echo' }
  if (!upstream) return model === 'echo' || model === autoModel ? { kind: 'echo' } : undefined
  const [first] = model === autoModel ? await upstream.listModels() : []
  return { kind: 'upstream', upstream, name: (first ?? model).replace(/^svc\/models\//, '') }
}

/** @param model as the caller has named it. */
export function unknownChatModel(model: string): ServiceError {
  const message = `Unknown model: ${model}. This service has ${echoModel}; for language models, start it with --chat-upstream and the base URL of a server that has them, such as http://127.0.0.1:11434/v1`
  return new ServiceError('NOT_FOUND', message)
}
