import type { ChatUpstream } from './chat-upstream.ts'

/** In requests: the first model of the upstream or, without an upstream, the echo. */
export const autoModel = 'auto'

/** @returns what the upstream calls a model: `svc/models/<name>` is `<name>`, and `auto` its first model, if it lists any. */
export async function upstreamName(upstream: ChatUpstream, model: string): Promise<string> {
  const [first] = model === autoModel ? await upstream.listModels() : []
  return (first ?? model).replace(/^svc\/models\//, '')
}
