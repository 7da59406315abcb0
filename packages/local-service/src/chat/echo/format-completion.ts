import { randomUUID } from 'node:crypto'

/** The response of a model, before it is formatted as JSON or as events. */
export interface Completion {
  model: string
  /** The words, each with the white space before it. */
  words: readonly string[]
  /** `length` if a limit cut it. */
  finishReason: 'stop' | 'length'
  promptTokens: number
}

/** The body of a response that is not streamed. */
export function toResponse(completion: Completion): object {
  const message = { role: 'assistant', content: completion.words.join(''), refusal: null }
  return {
    ...envelope(completion, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: completion.finishReason }],
    usage: usageOf(completion),
  }
}

/** The events of a streamed response: the role, each word, the finish reason, the usage if requested, and the end. */
export function* toEvents(completion: Completion, withUsage: boolean): Generator<string, void> {
  const shared = envelope(completion, 'chat.completion.chunk')
  const event = (delta: object, finishReason: string | null = null) =>
    toEvent({
      ...shared,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(withUsage && { usage: null }),
    })
  yield event({ role: 'assistant', content: '' })
  for (const content of completion.words) yield event({ content })
  yield event({}, completion.finishReason)
  if (withUsage) yield toEvent({ ...shared, choices: [], usage: usageOf(completion) })
  yield 'data: [DONE]\n\n'
}

function envelope({ model }: Completion, object: string) {
  const created = Math.floor(Date.now() / 1000)
  return { id: `chatcmpl-${randomUUID()}`, object, created, model }
}

function usageOf({ words, promptTokens }: Completion) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: words.length,
    total_tokens: promptTokens + words.length,
  }
}

function toEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
