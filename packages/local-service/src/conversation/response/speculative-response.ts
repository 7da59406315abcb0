import { onAbort } from '../../concurrency/abort-signals.ts'
import { createAsyncQueue } from '../../concurrency/async-queue.ts'
import {
  type LanguageModel,
  type ModelOutput,
  type ModelRequest,
  maxTextCharacters,
} from '../models/language-model.ts'

/** A response that a language model begins in a pause of the user, before it is certain that the turn has ended. */
export interface SpeculativeResponse {
  /** Drops an earlier one. Nobody gets its output, and so no tool is called, unless `respond` asks for the same. */
  begin(model: LanguageModel, request: Omit<ModelRequest, 'signal'>): void
  /** The user goes on. */
  drop(): void
  /** Continues what was begun if it is the same request of the same model, or else begins anew. */
  respond(model: LanguageModel, request: ModelRequest): AsyncIterable<ModelOutput>
}

interface Begun {
  model: LanguageModel
  key: string
  outputs: AsyncIterable<ModelOutput>
  abort(): void
  /** Ends the time limit: somebody wants it. */
  keep(): void
}

/** Nobody may want it, and a model can hang. */
const limitMs = 60_000

export function createSpeculativeResponse(): SpeculativeResponse {
  let begun: Begun | undefined
  const drop = (): void => {
    begun?.abort()
    begun = undefined
  }
  return {
    drop,
    begin(model, request) {
      drop()
      begun = begin(model, request)
    },
    respond(model, request) {
      const early = begun
      begun = undefined
      if (early?.model !== model || early.key !== keyOf(request)) {
        early?.abort()
        return model.respond(request)
      }
      early.keep()
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
  const limit = setTimeout(abort, limitMs)
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
  read()
    .catch(outputs.fail)
    .finally(() => clearTimeout(limit))
  return { model, key: keyOf(request), outputs, abort, keep: () => clearTimeout(limit) }
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
