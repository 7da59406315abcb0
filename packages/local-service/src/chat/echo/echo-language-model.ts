import type { ChatMessage, RealtimeTool } from '@parlando/core/wire'
import {
  incompleteReasonOf,
  type LanguageModel,
  type ModelOutput,
  type ModelRequest,
} from '../language-model.ts'
import { echo, echoModel } from './echo.ts'

/** The echo looks for names only in the start of a text: nobody says more in a turn. */
const maxTurnCharacters = 10_000

/**
 * The built-in model: repeats what the user said. So that tools can be tried without a language model, it calls a tool
 * when the user says all words of its name, and then repeats the result.
 */
export const echoLanguageModel: LanguageModel = {
  async *respond(request) {
    yield* respond(request)
  },
}

function* respond(request: ModelRequest): Generator<ModelOutput, void> {
  const { messages, tools, toolChoice, maxTokens } = request
  const last = messages.at(-1)
  const said = last?.role === 'user' ? textOf(last) : ''
  const words = new Set(wordsOf(said.slice(0, maxTurnCharacters)))
  const tool = toolChoice === 'none' ? undefined : tools.find(({ name }) => isNamed(name, words))
  if (tool) {
    yield { type: 'toolCall', name: tool.name, arguments: argumentsFor(tool, words) }
    return yield { type: 'end', usage: { input: 0, output: 0 } }
  }
  // The echo repeats only messages of the user.
  const result: ChatMessage[] =
    last?.role === 'tool' ? [{ role: 'user', content: textOf(last) }] : []
  const limit = maxTokens === 'inf' ? {} : { max_tokens: maxTokens }
  const spoken = [...messages, ...result]
  const nothing: ChatMessage[] = spoken.length > 0 ? [] : [{ role: 'user', content: '' }]
  const completion = echo({ model: echoModel, messages: [...spoken, ...nothing], ...limit })
  for (const text of completion.words) yield { type: 'text', text }
  const usage = { input: completion.promptTokens, output: completion.words.length }
  yield { type: 'end', incompleteReason: incompleteReasonOf(completion.finishReason), usage }
}

function textOf({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : ''
}

/** Whether all words of a name such as `switch_light` were said. */
function isNamed(name: string, said: ReadonlySet<string>): boolean {
  const words = wordsOf(name)
  return words.length > 0 && words.every((word) => said.has(word))
}

/** The words of `switch_light`, `switchLight` and `Switch the light!`. */
function wordsOf(text: string): string[] {
  // Recognisers and keyboards write an accent in two ways.
  const spaced = text
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
  return spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Fills each parameter that is a choice with the first choice that was said. */
function argumentsFor({ parameters }: RealtimeTool, said: ReadonlySet<string>): string {
  const { properties } = (parameters ?? {}) as { properties?: Record<string, { enum?: unknown }> }
  const found = Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const choices: unknown[] = Array.isArray(property?.enum) ? property.enum : []
    const named = choices.find((choice) => typeof choice === 'string' && isNamed(choice, said))
    return named === undefined ? [] : [[name, named] as const]
  })
  return JSON.stringify(Object.fromEntries(found))
}
