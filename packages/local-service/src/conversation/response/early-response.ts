import {
  type LanguageModel,
  type ModelOutput,
  type ModelRequest,
  maxTextCharacters,
} from '../../chat/language-model.ts'
import { onAbort } from '../../concurrency/abort-signals.ts'
import { createAsyncQueue } from '../../concurrency/async-queue.ts'

/** A response that a language model begins in a pause of the user, before it is certain that the turn has ended. */
export interface EarlyResponse {
  /** Drops an earlier one. Nobody gets its output, and so no tool is called, unless `respond` asks for the same. */
  begin(model: LanguageModel, request: Omit<ModelRequest, 'signal'>): void
  /** Nobody wants it any more. */
  drop(): void
  /** Continues what was begun if it is the same request of the same model and has not failed, or else begins anew. */
  respond(model: LanguageModel, request: ModelRequest): AsyncIterable<ModelOutput>
}

interface Begun {
  model: LanguageModel
  key: string
  outputs: AsyncIterable<ModelOutput>
  hasFailed: boolean
  abort(): void
}

/** No pause takes longer before its turn ends. Nobody wants it after that, such as when the client sends no more sound. */
const limitMs = 5000

export function createEarlyResponse(): EarlyResponse {
  let begun: Begun | undefined
  let limit: NodeJS.Timeout | undefined
  const drop = (): void => {
    clearTimeout(limit)
    begun?.abort()
    begun = undefined
  }
  return {
    drop,
    begin(model, request) {
      drop()
      begun = begin(model, request)
      limit = setTimeout(drop, limitMs)
    },
    respond(model, request) {
      clearTimeout(limit)
      const early = begun
      begun = undefined
      if (early?.model !== model || early.hasFailed || early.key !== keyOf(request)) {
        early?.abort()
        return model.respond(request)
      }
      onAbort(request.signal, early.abort)
      return early.outputs
    },
  }
}

function begin(model: LanguageModel, request: Omit<ModelRequest, 'signal'>): Begun {
  // A signal of its own: one of `AbortSignal.any` forgets, with some versions of Node, that a signal was aborted which is gone.
  const aborting = new AbortController()
  const { signal } = aborting
  const abort = () => aborting.abort()
  const outputs = createAsyncQueue<ModelOutput>()
  const read = async () => {
    let characters = 0
    for await (const output of model.respond({ ...request, signal })) {
      outputs.push(output)
      if (output.type === 'text') characters += output.text.length
      // Its reader needs no more.
      if (characters >= maxTextCharacters) break
    }
    outputs.end()
  }
  const begun: Begun = { model, key: keyOf(request), outputs, hasFailed: false, abort }
  read().catch((error) => {
    begun.hasFailed = true
    outputs.fail(error)
  })
  return begun
}

/** Equal for requests to which a model responds alike. */
function keyOf({
  messages,
  tools,
  toolChoice,
  maxTokens,
  temperature,
}: Omit<ModelRequest, 'signal'>): string {
  return JSON.stringify([messages, tools, toolChoice, maxTokens, temperature])
}
