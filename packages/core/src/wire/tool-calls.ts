import type { ChatTurn } from './chat-completion.ts'
import { parseJson } from './decode.ts'

/** A function that the model asks the caller to call. */
export interface ToolCall {
  id: string
  name: string
  /** JSON as the model wrote it: it may be invalid or not match the parameters of the function. */
  arguments: string
}

/** A part of a tool call; parts with the same index belong together. */
export interface ToolCallDelta {
  index: number
  id?: string
  name?: string
  /** The next characters of the JSON. */
  arguments?: string
}

type ToolCallPart = NonNullable<ChatTurn['tool_calls']>[number]

/** Assembles tool calls from their parts. */
export class ToolCallAssembly {
  readonly #calls = new Map<number, ToolCall>()
  /** The indexes of further calls to which the service gives an index that another call has already. */
  readonly #moved = new Map<number, number>()
  /** The highest index so far. */
  #last = -1

  /** How many calls there are so far. */
  get size(): number {
    return this.#calls.size
  }

  /** The tool calls received so far, in the order of their indexes. */
  get list(): ToolCall[] {
    return [...this.#calls.entries()]
      .sort(([first], [second]) => first - second)
      .map(([, call]) => ({ ...call }))
  }

  /** @returns the part with the index of its call, also if the service omits it or gives it to several calls. */
  add(part: ToolCallPart): ToolCallDelta {
    const index = part.index == null ? this.#findIndex(part) : this.#ownIndex(part, part.index)
    const { name, arguments: text } = part.function ?? {}
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' }
    this.#calls.set(index, call)
    this.#last = Math.max(this.#last, index)
    call.id ||= part.id ?? ''
    call.name ||= name ?? ''
    call.arguments += text ?? ''
    return {
      index,
      ...(part.id && { id: part.id }),
      ...(name && { name }),
      ...(text && { arguments: text }),
    }
  }

  /** Where a part without an index belongs: to the last call, or to the next one, of which it has the id or the name. */
  #findIndex(part: ToolCallPart): number {
    const last = this.#last
    const call = this.#calls.get(last)
    const isOfNext = part.id ? part.id !== call?.id : Boolean(part.function?.name && call?.name)
    return isOfNext || !call ? last + 1 : last
  }

  /**
   * Some services, such as Ollama 0.20, give each call the index 0: then a further call begins with its name and its id. Others give
   * each part of a call another id and, such as vLLM for a tool that must be called, the name: then a further call begins with
   * arguments when those of the call are complete.
   */
  #ownIndex({ id, function: called }: ToolCallPart, given: number): number {
    const index = this.#moved.get(given) ?? given
    const call = this.#calls.get(index)
    const name = called?.name
    if (!name || !call?.name) return index
    if (id && id === call.id) return index
    const isCalledAgain = id && call.id && called.arguments?.trim() && isComplete(call)
    if (name === call.name && !isCalledAgain) return index
    const next = this.#last + 1
    this.#moved.set(given, next)
    return next
  }
}

function isComplete({ arguments: text }: ToolCall): boolean {
  // To parse the arguments again with each of their parts would take long.
  return text.trimEnd().endsWith('}') && parseJson(text) !== undefined
}
